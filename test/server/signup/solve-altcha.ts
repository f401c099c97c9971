/** What GET /api/beta-signup/challenge gives. */
export interface AltchaToSolve {
  readonly parameters: {
    readonly nonce: string;
    readonly salt: string;
    readonly cost: number;
    readonly keyLength: number;
    readonly keyPrefix: string;
  };
  readonly signature?: string | undefined;
}

/** A thousand times what is needed on average. */
const MAX_TRIES = 256_000;

/**
 * What a client has to do for a `turnstileToken`: count up until the key that PBKDF2 derives from
 * the nonce and the counter begins as wanted. It needs WebCrypto and nothing else.
 */
export async function solveAltcha({ parameters, signature }: AltchaToSolve): Promise<string> {
  const { nonce, salt, cost, keyLength, keyPrefix } = parameters;
  const work = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt), iterations: cost };
  for (let counter = 0; counter < MAX_TRIES; counter++) {
    const password = bytesOf(nonce + counter.toString(16).padStart(8, "0"));
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    const derivedKey = hexOf(await crypto.subtle.deriveBits(work, key, keyLength * 8));
    if (derivedKey.startsWith(keyPrefix)) {
      const challenge = { parameters, signature };
      return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
    }
  }
  throw new Error("the challenge has no solution within reach");
}

const bytesOf = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
