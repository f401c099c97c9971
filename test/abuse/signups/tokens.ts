import { encode, forge, inSeconds, ORIGIN } from "../../server/signup/altcha-tokens.ts";
import { solveAltcha } from "../../server/signup/solve-altcha.ts";

/** Signs the challenges of the server under test. */
export const CHALLENGE_SECRET = "challenge-secret-of-the-abused-01";

const solve = async (change: object = {}): Promise<string> =>
  solveAltcha(await forge({ hmacSignatureSecret: CHALLENGE_SECRET, ...change }));

/** A token as a visitor of the site gets it, but for the time that it takes. */
export const goodToken = (): Promise<string> => solve();

/** Tokens that the site has not given to anyone, or not for this, or not now. */
export const BAD_TOKENS: readonly (() => Promise<string | undefined>)[] = [
  async () => undefined,
  async () => "x",
  async () => crypto.randomUUID().repeat(56),
  async () => encode({ challenge: [], solution: { counter: 0, derivedKey: "" } }),
  () => solve({ hmacSignatureSecret: "a secret of the abuser's own, long enough" }),
  () => solve({ data: { action: "login", origin: ORIGIN } }),
  () => solve({ data: { action: "beta_signup", origin: "https://evil.test" } }),
  () => solve({ expiresAt: inSeconds(-10) }),
  () => solve({ expiresAt: inSeconds(4_000) }),
  async () => {
    const challenge = await forge({ hmacSignatureSecret: CHALLENGE_SECRET });
    return encode({ challenge, solution: { counter: 0, derivedKey: "00".repeat(32) } });
  },
  async () => {
    const token: { challenge: { parameters: object } } = JSON.parse(atob(await solve()));
    Object.assign(token.challenge.parameters, { nonce: "00".repeat(16) });
    return encode(token);
  },
];
