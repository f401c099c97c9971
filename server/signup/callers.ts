import ipaddr from "ipaddr.js";

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** True for an address of one of the networks. */
export type AddressTest = (address: IpAddress | undefined) => boolean;

export interface Network {
  readonly name: string;
  /** The network's limit, as a multiple of the limit of one address. */
  readonly times: number;
}

interface CallerOptions {
  /** The proxies whose `X-Forwarded-For` counts. */
  readonly proxies: AddressTest | undefined;
  /** True when callers of this machine and of private networks belong to none. */
  readonly sparesPrivate: boolean;
}

/**
 * The networks that a caller is counted under: an IPv4 address by itself, an IPv6 address as its /64,
 * one customer's block, and as its /48, a site's or a small provider's.
 *
 * `X-Forwarded-For` counts only from a trusted proxy: of its entries the right-most one that is not
 * a trusted proxy itself, since anybody may have written those to the left of it. If that entry is
 * not an address, the proxy's own address counts.
 *
 * @param peer the address at the other end of the connection.
 */
export function countedNetworks(
  peer: string | undefined,
  forwardedFor: string | null,
  { proxies, sparesPrivate }: CallerOptions,
): readonly Network[] {
  const address = hostAddress(peer, forwardedFor, proxies);
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

function hostAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  isProxy: AddressTest = () => false,
): IpAddress | undefined {
  const direct = parseAddress(peer ?? "");
  if (!isProxy(direct)) return direct;
  // Addresses are read from the right, since up to 256 KiB of others may stand to the left.
  const hops = (forwardedFor ?? "").split(",");
  const last = hops.findLast((hop) => !isProxy(parseAddress(hop.trim())));
  return parseAddress(last?.trim() ?? "") ?? direct;
}

/** The address without a port, a zone, or the mapping that writes `10.0.0.1` as `::ffff:10.0.0.1`. */
function parseAddress(text: string): IpAddress | undefined {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = (inBrackets ?? beforePort ?? text).replace(/%.*$/, "");
  return isAddress(address) ? ipaddr.process(address) : undefined;
}

/** True for an address in full: the package's own check takes `10.1` and `010.0.0.1` too. */
const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

/**
 * Reads a list of addresses and networks, such as `10.0.0.1,10.0.0.0/8,::1`.
 *
 * @returns undefined when an item is neither.
 */
export function parseNetworks(text: string): AddressTest | undefined {
  const list: [IpAddress, number][] = [];
  for (const item of text.split(",")) {
    const [, address = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(item.trim()) ?? [];
    if (!isAddress(address)) return undefined;
    const network = ipaddr.parse(address);
    const longest = network.kind() === "ipv4" ? 32 : 128;
    const bits = prefix === undefined ? longest : Number(prefix);
    if (bits > longest) return undefined;
    list.push([network, bits]);
  }
  return (address) =>
    list.some(
      ([network, bits]) => address?.kind() === network.kind() && address.match(network, bits),
    );
}
