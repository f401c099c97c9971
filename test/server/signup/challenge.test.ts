import { describe, expect, setSystemTime, test } from "bun:test";
import { solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { altcha, decode, encode, inSeconds, ORIGIN } from "./altcha-tokens.ts";
import { solveAltcha } from "./solve-altcha.ts";

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

  test("never repeats a nonce", async () => {
    const challenges = await Promise.all(Array.from({ length: 200 }, own.issue));
    expect(new Set(challenges.map(({ parameters }) => parameters.nonce)).size).toBe(200);
  });
});

describe("altchaChallenge().verify() accepts", () => {
  test("a challenge solved with WebCrypto, and names the nonce to burn", async () => {
    const challenge = await own.issue();
    const passed = await own.verify(await solveAltcha(challenge));
    const { nonce, expiresAt } = challenge.parameters;
    // To be remembered beyond the token's own end, for machines whose clocks are ahead.
    expect(passed).toEqual({ use: { nonce, expiresAt: new Date((expiresAt + 30) * 1_000) } });
  });

  test("a challenge solved with ALTCHA's own library", async () => {
    const challenge = await own.issue();
    const solution = await solveChallenge({ challenge: decode(encode(challenge)), deriveKey });
    const { nonce } = challenge.parameters;
    expect(await own.verify(encode({ challenge, solution }))).toMatchObject({ use: { nonce } });
  });

  test("what another process with the same secret issued", async () => {
    const token = await solveAltcha(await altcha().issue());
    expect(await altcha().verify(token)).toBeDefined();
  });

  test("tokens of at most 2,048 characters, for the longest of origins", async () => {
    const host = ["a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61)].join(".");
    const site = altcha({ origin: `https://${host}:65535` });
    const token = await solveAltcha(await site.issue());
    expect(token.length).toBeLessThanOrEqual(2_048);
    expect(await site.verify(token)).toBeDefined();
  });

  test("one token in another writing, with the same nonce to burn", async () => {
    const token = await solveAltcha(await own.issue());
    const { challenge, solution } = decode(token);
    const { nonce, ...others } = challenge.parameters;
    const { signature } = challenge;
    const other = encode({ solution, challenge: { signature, parameters: { ...others, nonce } } });
    expect(other).not.toBe(token);
    expect(await own.verify(other)).toMatchObject({ use: { nonce } });
  });
});

describe("altchaChallenge().verify() goes by the clock (row 45)", () => {
  test.each<[string, number, boolean]>([
    ["at once", 0, true],
    ["after 295 s", 295_000, true],
    ["after 301 s", 301_000, false],
    ["when the clock jumps ten minutes ahead", 600_000, false],
    ["when the clock jumps ten minutes back", -600_000, false],
    ["on a machine whose clock is 20 s behind", -20_000, true],
  ])("%s", async (_, offset, isAccepted) => {
    const token = await solveAltcha(await own.issue());
    const passed = await altcha({ offset }).verify(token);
    expect(passed !== undefined).toBe(isAccepted);
  });

  test("and by the machine's own, at which the library looks", async () => {
    const token = await solveAltcha(await own.issue());
    const start = Date.now();
    try {
      setSystemTime(start + 400_000);
      expect(await altcha({ offset: -400_000 }).verify(token)).toBeUndefined();
    } finally {
      setSystemTime();
    }
    expect(await own.verify(token)).toBeDefined();
  });
});
