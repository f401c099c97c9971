import fc from "fast-check";
import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import type { JsonSchema } from "../../../src/index.ts";
import { inputsOf } from "../../schemas/from-schema.ts";

/** What is sent as an input. */
export interface Payload {
  readonly bytes: Buffer;
  /** Present when the bytes are JSON that every reader takes for the same. */
  readonly json?: string;
}

/** Half of a surrogate pair is JSON to some and none to others. */
const clear = (json: string): Payload => ({
  bytes: Buffer.from(json),
  ...(!/\\ud[89a-f]/.test(json) && { json }),
});

const texts = (schema: JsonSchema): fc.Arbitrary<string> =>
  inputsOf(schema).map((input) => JSON.stringify(input));

/** JSON with a few characters cut out and a few put in. */
const spoilt = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc
    .tuple(texts(schema), fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    })
    .map((text) => ({ bytes: Buffer.from(text) }));

const sizes = fc.oneof(
  ...[MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES].map((limit) =>
    fc.integer({ min: limit - 1, max: limit + 2 }),
  ),
  fc.constantFrom(40_000, 1_100_000),
);

/** JSON that white space brings to a size at a limit or above it. */
const padded = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc
    .tuple(texts(schema), sizes)
    .map(([text, size]) => clear(text + " ".repeat(Math.max(0, size - Buffer.byteLength(text)))));

const noise: fc.Arbitrary<Payload> = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => ({ bytes: Buffer.from(bytes) }));

/** Inputs of a schema: right, nearly right, and hostile. */
export const payloads = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc.oneof(
    { weight: 12, arbitrary: texts(schema).map(clear) },
    { weight: 3, arbitrary: spoilt(schema) },
    { weight: 1, arbitrary: padded(schema) },
    { weight: 1, arbitrary: noise },
  );
