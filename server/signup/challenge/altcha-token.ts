import * as v from "valibot";

/** PBKDF2 as every browser's WebCrypto has it. */
export const ALGORITHM = "PBKDF2/SHA-256";

/** Exactly what we sign: a parameter more or less is not ours. */
const ParametersSchema = v.strictObject({
  algorithm: v.literal(ALGORITHM),
  nonce: v.string(),
  salt: v.string(),
  cost: v.number(),
  keyLength: v.number(),
  keyPrefix: v.string(),
  /** In seconds. */
  expiresAt: v.number(),
  data: v.strictObject({ action: v.string(), origin: v.string() }),
});

const PayloadSchema = v.object({
  challenge: v.object({ parameters: ParametersSchema, signature: v.string() }),
  solution: v.object({ counter: v.number(), derivedKey: v.string() }),
});
export type AltchaPayload = v.InferOutput<typeof PayloadSchema>;

/** The text that ALTCHA's clients send: JSON in base64. */
const TokenSchema = v.pipe(v.string(), v.base64(), v.transform(atob), v.parseJson(), PayloadSchema);

/** Reads a solved challenge; undefined for anything else. Nothing is verified yet. */
export function readAltchaToken(token: string): AltchaPayload | undefined {
  const read = v.safeParse(TokenSchema, token);
  return read.success ? read.output : undefined;
}
