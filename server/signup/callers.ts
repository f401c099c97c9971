import { createHash, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { HttpError } from "../http/error.ts";

/**
 * The network address of a caller. `X-Forwarded-For` counts only from a trusted proxy: of its
 * entries the right-most one that is not a trusted proxy itself, since anybody may have written
 * those to the left of it. If that entry is not an address, the proxy's own address counts. An
 * IPv6 address counts as its /64, one customer's block.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  proxies: BlockList | undefined,
): string | undefined {
  if (peer === undefined) return undefined;
  const own = plainAddress(peer);
  if (!proxies || !isTrusted(own, proxies)) return network(own);
  const hops = (forwardedFor ?? "").split(",").map((hop) => plainAddress(hop.trim()));
  const client = hops.findLast((hop) => !isTrusted(hop, proxies)) ?? own;
  return network(isIP(client) === 0 ? own : client);
}

/** Without a port, a zone, or the mapping that writes `10.0.0.1` as `::ffff:10.0.0.1`. */
function plainAddress(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

const isTrusted = (address: string, proxies: BlockList): boolean => {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 4 ? "ipv4" : "ipv6");
};

function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}

/** Addresses and networks in the form `10.0.0.1`, `10.0.0.0/8` or `::1`. */
export function parseProxies(text: string): BlockList | undefined {
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
 * Whether a request carries one of the secrets, as `Authorization: Bearer <secret>`. Digests are
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

const MINUTE_MS = 60_000;

/** Beyond this many addresses the oldest are forgotten, so that a flood costs no memory. */
const MAX_ADDRESSES = 10_000;

/**
 * Limits the signups a minute from one network address.
 *
 * @param addressOf the caller's address; a request without one is let through.
 */
export function rateLimit(
  perMinute: number,
  addressOf: (request: Request) => string | undefined,
  now: () => Date,
): (request: Request) => void {
  const windows = new Map<string, { readonly start: number; count: number }>();
  return (request) => {
    const address = addressOf(request);
    if (address === undefined) return;
    const time = now().getTime();
    const window = windows.get(address);
    const left = window === undefined ? 0 : window.start + MINUTE_MS - time;
    // More than a minute is left when the clock was set back.
    if (!window || left <= 0 || left > MINUTE_MS) {
      windows.delete(address);
      if (windows.size >= MAX_ADDRESSES) windows.delete([...windows.keys()][0] ?? "");
      windows.set(address, { start: time, count: 1 });
      return;
    }
    window.count += 1;
    if (window.count <= perMinute) return;
    throw new HttpError("rate_limited", "", { "Retry-After": String(Math.ceil(left / 1_000)) });
  };
}
