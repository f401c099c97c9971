import { describe, expect, test } from "bun:test";
import { listRateLimitedNetworks, parseNetworks } from "../../../server/signup/client-networks.ts";

const PROXIES = "10.0.0.0/8, 192.0.2.1, fd00::/8";
const proxies = parseNetworks(PROXIES);

const options = { proxies: undefined, exemptsPrivateNetworks: false };

describe("countedNetworks() without proxies is who is connected", () => {
  test.each<[string, string]>([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2 10x2001:db8:1"],
    ["::1", "0:0:0:0 10x0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0 10xfe80:0:0"],
  ])("%s: %s", (peer, wanted) => {
    expect(shown(peer, "198.51.100.9", options)).toBe(wanted);
  });

  test("and none where the connection is unknown", () => {
    expect(shown(undefined, "198.51.100.9", { ...options, proxies })).toBe("");
  });
});

/** Such as "2001:db8:1:2 10x2001:db8:1". */
const shown = (...caller: Parameters<typeof listRateLimitedNetworks>): string =>
  listRateLimitedNetworks(...caller)
    .map(({ name, multiplier }) => (multiplier === 1 ? name : `${multiplier}x${name}`))
    .join(" ");

describe(`countedNetworks() behind ${PROXIES}`, () => {
  test.each<[string, string, string | null, string]>([
    ["a stranger's header counts for nothing", "203.0.113.7", "198.51.100.9", "203.0.113.7"],
    ["what the client wrote itself", "10.1.2.3", "198.51.100.9, 203.0.113.7", "203.0.113.7"],
    ["a chain of proxies", "10.1.2.3", "203.0.113.7, 192.0.2.1, 10.9.9.9", "203.0.113.7"],
    ["a client of IPv6", "10.1.2.3", "2001:db8:1:2:3::4", "2001:db8:1:2"],
    ["a client with a port", "10.1.2.3", "198.51.100.9, 203.0.113.7:4711", "203.0.113.7"],
    ["no header", "10.1.2.3", null, "10.1.2.3"],
    ["proxies only", "10.1.2.3", "10.0.0.7, 10.0.0.8", "10.1.2.3"],
    ["an unknown client that wrote an address", "10.1.2.3", "198.51.100.9, unknown", "10.1.2.3"],
  ])("%s", (_, peer, forwardedFor, address) => {
    expect(shown(peer, forwardedFor, { ...options, proxies }).split(" ")[0]).toBe(address);
  });
});

describe("parseNetworks()", () => {
  test.each([
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["11.0.0.0", "9.255.255.255"]],
    ["10.0.0.0/8,172.16.0.1", ["10.1.1.1", "172.16.0.1"], ["172.16.0.2"]],
    ["::1, fd00::/8", ["::1", "fd12::9"], ["::2", "fe80::1"]],
  ])("%j", (text, trusted, strangers) => {
    const proxies = parseNetworks(text);
    const isListed = (address: string) =>
      shown(address, "203.0.113.7", { ...options, proxies }) === "203.0.113.7";
    expect(trusted.filter(isListed)).toEqual(trusted);
    expect(strangers.filter(isListed)).toEqual([]);
  });

  test.each([
    ["nothing", ""],
    ["a comma at the end", "10.0.0.1,"],
    ["a prefix without a number, which would be everybody", "10.0.0.0/"],
    ["a prefix that is too long", "10.0.0.0/33"],
    ["a prefix in hexadecimal", "10.0.0.0/0x8"],
    ["an address with a port", "10.0.0.1:80"],
  ])("rejects %s", (_, text) => {
    expect(parseNetworks(text)).toBeUndefined();
  });
});

describe("countedNetworks() can spare callers of this machine and of private networks", () => {
  test.each<[string, string | null, boolean]>([
    ["127.0.0.1", null, true],
    ["::1", null, true],
    ["::ffff:192.168.1.2", null, true],
    ["fe80::1%eth0", null, true],
    ["203.0.113.7", null, false],
    ["10.1.2.3", "203.0.113.7", false],
    ["10.1.2.3", "192.168.1.2", true],
  ])("%s, forwarded for %s: %p", (peer, forwardedFor, isSpared) => {
    const networks = shown(peer, forwardedFor, { proxies, exemptsPrivateNetworks: true });
    expect(networks === "").toBe(isSpared);
  });
});
