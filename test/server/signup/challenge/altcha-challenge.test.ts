import { describe, expect, test } from "bun:test";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import fc from "fast-check";
import { tries } from "../../../support/runs.ts";
import {
  altcha,
  decode,
  encode,
  forge,
  inSeconds,
  ORIGIN,
  solveAltcha,
} from "../../support/altcha.ts";
import { setClock } from "../../support/clock.ts";

const own = altcha();

describe("altchaChallenge().issue()", () => {
  test("is bound to action, origin and 300 s", async () => {
    const earliest = inSeconds(300);
    const challenge: unknown = await own.issue();
    expect(challenge).toEqual({
      parameters: {
        algorithm: "PBKDF2/SHA-256",
        cost: expect.any(Number),
        data: { action: "beta_signup", origin: ORIGIN },
        expiresAt: expect.any(Number),
        keyLength: 32,
        keyPrefix: "00",
        nonce: expect.stringMatching(/^[\da-f]{32}$/),
        salt: expect.stringMatching(/^[\da-f]{32}$/),
      },
      signature: expect.stringMatching(/^[\da-f]{64}$/),
    });
    const { parameters } = await own.issue();
    expect(parameters.expiresAt).toBeWithin(earliest, inSeconds(300) + 1);
    expect(parameters.cost).toBeLessThanOrEqual(5_000);
  });
});

describe("altchaChallenge().verify() accepts", () => {
  test("a challenge solved with WebCrypto, and names the nonce to consume", async () => {
    const challenge = await own.issue();
    const passed = await own.verify(await solveAltcha(challenge));
    const { nonce, expiresAt } = challenge.parameters;
    expect(passed).toEqual({ nonce: { nonce, expiresAt: new Date(expiresAt * 1_000) } });
  });

  test("a challenge of the old secret while it is rotated, and signs with the new one", async () => {
    const rotated = altcha({
      secret: "another secret, of 32 characters or more",
      oldSecret: "the secret of these tests, of 32 characters or more",
    });
    const old = await own.issue();
    expect(await rotated.verify(await solveAltcha(old))).toMatchObject({
      nonce: { nonce: old.parameters.nonce },
    });
    const fresh = await solveAltcha(await rotated.issue());
    expect(await own.verify(fresh)).toBeUndefined();
    expect(await rotated.verify(fresh)).toMatchObject({ nonce: { nonce: expect.any(String) } });
  });

  test("a challenge solved with ALTCHA's own library", async () => {
    const challenge = await own.issue();
    const solution = await solveChallenge({ challenge: decode(encode(challenge)), deriveKey });
    const { nonce } = challenge.parameters;
    expect(await own.verify(encode({ challenge, solution }))).toMatchObject({ nonce: { nonce } });
  });

  test("tokens of at most 2,048 characters, for the longest of origins", async () => {
    const host = ["a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61)].join(".");
    const site = altcha({ origin: `https://${host}:65535` });
    const token = await solveAltcha(await site.issue());
    expect(token.length).toBeLessThanOrEqual(2_048);
    expect(await site.verify(token)).toBeDefined();
  });
});

describe("altchaChallenge().verify() checks the time", () => {
  test.each<[string, number, boolean]>([
    ["at once", 0, true],
    ["after 295 s", 295_000, true],
    ["after 301 s", 301_000, false],
    ["when the clock jumps ten minutes back", -600_000, false],
    ["on a machine whose clock is 20 s behind", -20_000, true],
  ])("%s", async (_, offset, isAccepted) => {
    const token = await solveAltcha(await own.issue());
    using _clock = setClock(Date.now() + offset);
    expect((await own.verify(token)) !== undefined).toBe(isAccepted);
  });
});

const TRIES = tries(80);

describe("altchaChallenge().verify() rejects anything but a solved challenge", () => {
  test.each<[string, string]>([
    ["deep brackets", btoa("[".repeat(500_000))],
    ["a megabyte of something else", "!".repeat(1_000_000)],
  ])("%s", async (_, token) => {
    expect(await own.verify(token)).toBeUndefined();
  });

  test("any text, and any JSON, without throwing", async () => {
    const tokens = fc.oneof(fc.string(), fc.base64String(), fc.jsonValue().map(encode));
    await fc.assert(
      fc.asyncProperty(tokens, async (token) => {
        expect(await own.verify(token)).toBeUndefined();
      }),
      TRIES,
    );
  });
});

describe("altchaChallenge().verify() rejects a solved challenge", () => {
  test("but not one that is only quick to solve, which these are changed from", async () => {
    expect(await own.verify(await solveAltcha(await forge()))).toBeDefined();
  });

  test.each<[string, object]>([
    ["for another action", { data: { action: "login", origin: ORIGIN } }],
    ["for another origin", { data: { action: "beta_signup", origin: "https://evil.test" } }],
    ["without an expiry", { expiresAt: undefined }],
    ["that has expired", { expiresAt: inSeconds(-1) }],
    ["with another algorithm", { algorithm: "SCRYPT" }],
    ["signed with another secret", { hmacSignatureSecret: "another secret, long enough too" }],
    ["that is not signed", { hmacSignatureSecret: undefined }],
  ])("%s", async (_, change) => {
    expect(await own.verify(await solveAltcha(await forge(change)))).toBeUndefined();
  });

  test.each([
    ["another site with the same secret", { origin: "https://other.test" }],
    ["this site with another secret", { secret: "a secret of some other site, long enough" }],
  ])("of %s", async (_, other) => {
    const token = await solveAltcha(await altcha(other).issue());
    expect(await own.verify(token)).toBeUndefined();
    expect(await altcha(other).verify(token)).toBeDefined();
  });

  test("with any one value changed", async () => {
    const solved = decode(await solveAltcha(await own.issue()));
    const { challenge, solution } = solved;
    const places = [challenge.parameters.data, challenge.parameters, challenge, solution].flatMap(
      (part) => Object.keys(part).map((key) => [part, key] as const),
    );
    const values = fc.oneof(fc.jsonValue(), fc.nat(), fc.constantFrom("0", "00", 1e9, undefined));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), values, async ([part, key], value) => {
        const kept = part[key];
        fc.pre(JSON.stringify(value) !== JSON.stringify(kept));
        part[key] = value;
        const token = encode(solved);
        part[key] = kept;
        expect(await own.verify(token)).toBeUndefined();
      }),
      TRIES,
    );
    expect(await own.verify(encode(solved))).toBeDefined();
  });

  // It would take minutes: the time limit of a test shows that no work is done for a forgery.
  test.each(["cost", "keyLength"])("with a forged %s, without doing its work", async (name) => {
    const solved = decode(await solveAltcha(await forge()));
    solved.challenge.parameters[name] = 1e9;
    expect(await own.verify(encode(solved))).toBeUndefined();
  });

  test("whose work was not done, though the key is the counter's own", async () => {
    const challenge = await forge({ keyPrefix: "00".repeat(32) });
    const { nonce, salt } = challenge.parameters;
    const { derivedKey } = await deriveKey(
      challenge.parameters,
      Buffer.from(salt, "hex"),
      Buffer.from(`${nonce}00000000`, "hex"),
    );
    const solution = { counter: 0, derivedKey: Buffer.from(derivedKey).toString("hex") };
    expect(await own.verify(encode({ challenge, solution }))).toBeUndefined();
  });
});
