import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";

export interface Network {
  readonly name: string;
  /** Its limit, as a multiple of the limit of one address. */
  readonly times: number;
}

interface CallerOptions {
  /** The proxies whose `X-Forwarded-For` counts. */
  readonly proxies: AddressList | undefined;
  /** True when callers of this machine and of private networks belong to none. */
  readonly sparesPrivate: boolean;
}

/**
 * The networks by which a caller is counted: an IPv4 address by itself, an IPv6 address as its /64,
 * one customer's block, and as its /48, a site's or a small provider's.
 *
 * `X-Forwarded-For` counts only from a trusted proxy: of its entries the right-most one that is not
 * a trusted proxy itself, since anybody may have written those to the left of it. If that entry is
 * not an address, the proxy's own address counts.
 */
export function networksOf(
  peer: string | undefined,
  forwardedFor: string | null,
  { proxies, sparesPrivate }: CallerOptions,
): readonly Network[] {
  const address = hostAddress(peer, forwardedFor, proxies);
  if (address === undefined) return [];
  if (sparesPrivate && PRIVATE !== undefined && isIn(address, PRIVATE)) return [];
  if (isIP(address) !== 6) return [{ name: address, times: 1 }];
  const groups = groupsOf(address);
  return [
    { name: groups.slice(0, 4).join(":"), times: 1 },
    { name: groups.slice(0, 3).join(":"), times: 10 },
  ];
}

/** The networks of a request's caller, whose connection comes from `peerOf`. */
export const callerNetworks =
  (peerOf: (request: Request) => string | undefined, options: CallerOptions) =>
  (request: Request): readonly Network[] =>
    networksOf(peerOf(request), request.headers.get("x-forwarded-for"), options);

/** Loopback, private and link-local networks, and those that carriers and clusters share. */
const PRIVATE = networks(
  "127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,100.64.0.0/10,::1,fc00::/7,fe80::/10",
);

function hostAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  proxies: AddressList | undefined,
): string | undefined {
  if (peer === undefined) return undefined;
  const direct = plainAddress(peer);
  if (!proxies || !isIn(direct, proxies)) return direct;
  // Addresses are read from the right, since up to 256 KiB of others may stand to the left.
  const hops = (forwardedFor ?? "").split(",");
  const last = hops.findLast((hop) => !isIn(plainAddress(hop.trim()), proxies));
  const client = last === undefined ? direct : plainAddress(last.trim());
  return isIP(client) === 0 ? direct : client;
}

/** Without a port, a zone, or the mapping that writes `10.0.0.1` as `::ffff:10.0.0.1`. */
function plainAddress(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

const isIn = (address: string, list: AddressList): boolean => {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
};

function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  return [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
}

/** Addresses and networks in the form `10.0.0.1`, `10.0.0.0/8` or `::1`. */
export function networks(text: string): AddressList | undefined {
  const list = new BlockList();
  for (const item of text.split(",")) {
    const [, address = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(item.trim()) ?? [];
    const version = isIP(address);
    if (version === 0) return undefined;
    const longest = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? longest : Number(prefix);
    if (bits > longest) return undefined;
    list.addSubnet(address, bits, version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

/**
 * True for a request that carries one of the secrets, as `Authorization: Bearer <secret>`. Digests are
 * compared, so that the time shows neither the secret nor its length.
 *
 * @param secrets none turns the feature off; two let an operator rotate them.
 */
export function ingestSecret(secrets: readonly string[]): (request: Request) => boolean {
  const digests = secrets.map(digest);
  return (request) => {
    const [, sent] = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (sent === undefined) return false;
    const sentDigest = digest(sent);
    // Every secret is compared, also after a match.
    return digests.map((known) => timingSafeEqual(known, sentDigest)).includes(true);
  };
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** The part of Node's BlockList that is used here: types without Node's lack it. */
export interface AddressList {
  check(address: string, family: "ipv4" | "ipv6"): boolean;
}
