import ipaddr from "ipaddr.js";

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** True for an address of one of the networks. */
export type AddressTest = (address: IpAddress | undefined) => boolean;

interface CallerOptions {
  /** The proxies whose `X-Forwarded-For` counts. */
  readonly proxies: AddressTest | undefined;
  /** True when callers of this machine and of private networks belong to none. */
  readonly sparesPrivate: boolean;
}

/**
 * The networks that a caller is counted under, each with its limit as a multiple of that of one
 * address: an IPv4 address by itself, an IPv6 address as its /64, one customer's block, and as its
 * /48, a site's or a small provider's.
 *
 * `X-Forwarded-For` counts only from a trusted proxy: of its entries the right-most one that is not
 * a trusted proxy itself, since anybody may have written those to the left of it. If that entry is
 * not an address, the proxy's own address counts.
 *
 * @param peer the address at the other end of the connection.
 */
export function listCountedNetworks(
  peer: string | undefined,
  forwardedFor: string | null,
  { proxies: isProxy = () => false, sparesPrivate }: CallerOptions,
): readonly { readonly name: string; readonly times: number }[] {
  const direct = parseAddress(peer ?? "");
  // Addresses are read from the right, since up to 256 KiB of others may stand to the left.
  const isVisitor = (hop: string) => !isProxy(parseAddress(hop));
  const visitor = isProxy(direct) ? (forwardedFor ?? "").split(",").findLast(isVisitor) : undefined;
  const address = parseAddress(visitor ?? "") ?? direct;
  if (!address || (sparesPrivate && PRIVATE.includes(address.range()))) return [];
  if (address instanceof ipaddr.IPv4) return [{ name: address.toString(), times: 1 }];
  const groups = address.parts.map((part) => part.toString(16));
  return [
    { name: groups.slice(0, 4).join(":"), times: 1 },
    { name: groups.slice(0, 3).join(":"), times: 10 },
  ];
}

/** Loopback, private and link-local networks, and those that carriers and clusters share. */
const PRIVATE = ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"];

/** The address without blanks, a port, or the mapping that writes `10.0.0.1` as `::ffff:10.0.0.1`. */
function parseAddress(text: string): IpAddress | undefined {
  const address = text.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");
  // The package's own check of an IPv4 address takes `10.1` and `010.0.0.1` too.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address) : undefined;
}

/**
 * Reads a list of addresses and networks, such as `10.0.0.1,10.0.0.0/8,::1`.
 *
 * @returns undefined when an item is neither.
 */
export function parseNetworks(text: string): AddressTest | undefined {
  const items = text.split(",").map((item) =>
    item
      .trim()
      .replace(/^[\d.]+$/, "$&/32")
      .replace(/^[\da-f:]+$/i, "$&/128"),
  );
  const isNetwork = (item: string) =>
    ipaddr.IPv4.isValidCIDRFourPartDecimal(item) || ipaddr.IPv6.isValidCIDR(item);
  if (!items.every(isNetwork)) return undefined;
  const networks = items.map((item) => ipaddr.parseCIDR(item));
  return (address) =>
    networks.some(
      ([network, bits]) => address?.kind() === network.kind() && address.match(network, bits),
    );
}
