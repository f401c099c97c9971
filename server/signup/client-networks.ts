import ipaddr from "ipaddr.js";

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** Whether an IP address belongs to one of the networks. */
export type AddressTest = (address: IpAddress | undefined) => boolean;

/**
 * Lists the networks whose rate limits apply to a caller, each with its multiple of the limit: an IPv4
 * address alone; an IPv6 address under its /64, which is one customer, and its /48, which is a site
 * or a small provider.
 *
 * `X-Forwarded-For` counts only from a trusted proxy. The caller is its right-most entry that is not a
 * trusted proxy: the caller may have forged the entries to its left. If that entry is not an IP
 * address, the proxy itself is counted.
 *
 * @param peer the IP address of the connection.
 * @param options the trusted proxies, and whether callers from private networks are not counted.
 */
export function listRateLimitedNetworks(
  peer: string | undefined,
  forwardedFor: string | null,
  options: { readonly proxies: AddressTest | undefined; readonly exemptsPrivateNetworks: boolean },
): readonly { readonly name: string; readonly multiplier: number }[] {
  const { proxies: isProxy = () => false, exemptsPrivateNetworks } = options;
  const direct = parseAddress(peer ?? "");
  // Read from the right, because up to 256 KiB of forged entries may come first.
  const isVisitor = (hop: string) => !isProxy(parseAddress(hop));
  const visitor = isProxy(direct) ? (forwardedFor ?? "").split(",").findLast(isVisitor) : undefined;
  const address = parseAddress(visitor ?? "") ?? direct;
  if (!address || (exemptsPrivateNetworks && PRIVATE_RANGES.includes(address.range()))) return [];
  if (address instanceof ipaddr.IPv4) return [{ name: address.toString(), multiplier: 1 }];
  const groups = address.parts.map((part) => part.toString(16));
  return [
    { name: groups.slice(0, 4).join(":"), multiplier: 1 },
    { name: groups.slice(0, 3).join(":"), multiplier: 10 },
  ];
}

/** Includes the networks that carriers and clusters share. */
const PRIVATE_RANGES = ["loopback", "private", "linkLocal", "uniqueLocal", "carrierGradeNat"];

/** Ignores spaces and a port, and reads `::ffff:10.0.0.1` as `10.0.0.1`. */
function parseAddress(text: string): IpAddress | undefined {
  const address = text.trim().replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2");
  // The package's own IPv4 check also accepts `10.1` and `010.0.0.1`.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress ? ipaddr.process(address) : undefined;
}

/**
 * Parses a list of IP addresses and networks, such as `10.0.0.1,10.0.0.0/8,::1`.
 *
 * @returns undefined if an item is neither.
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
