import { BlockList, isIP } from "node:net";

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

const isTrusted = (address: string, proxies: BlockList): boolean => {
  const version = isIP(address);
  return version !== 0 && proxies.check(address, version === 4 ? "ipv4" : "ipv6");
};

/**
 * Whose request it is. `X-Forwarded-For` counts only from a proxy that is trusted, and of its
 * entries the right-most that is not such a proxy: what stands left of it anybody may have written.
 * Where that one is no address, the proxy's own has to do. An IPv6 address stands for its /64, which one customer has to himself.
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

/** Without a port, a zone, or the mapping that makes `::ffff:10.0.0.1` of `10.0.0.1`. */
function plainAddress(text: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

function network(address: string): string {
  if (isIP(address) !== 6) return address;
  const { hostname } = new URL(`http://[${address}]/`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}
