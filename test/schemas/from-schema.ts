import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import fc from "fast-check";
import type { JsonSchema } from "../../src/index.ts";

/** Texts that are or are not of a format, around its edges. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...["a@b.co", "o'x@b.co", "A.b+c_d@sub.example.org", "a@1.example", "x@xn--bcher-kva.example"],
    ...["a@b-.co", "a@-b.co", ".a@b.co", "a.@b.co", "a..b@b.co", "a@b", "a@b.c", "a b@c.de"],
    "@b.co",
    ...["a@b..co", "a@b.co.", '"a b"@c.de', "a@[1.2.3.4]", "ü@b.co", "a@bü.co", "a@b.co\n"],
    "a@b_c.co",
  ],
  uri: [
    ...["http://a", "https://x.test/a?b=1&c=%20#d", "HTTPS://X.TEST:8443", "http://[::1]:80/"],
    "ftp://x",
    ...["https://user:pw@x.test", "javascript:alert(1)", "mailto:a@b.co", "urn:a:b", "http://"],
    "http:",
    ...["https://1.2.3.4", "https://x.test/ä", "https://bücher.example", "https://x y"],
    ...["//x.test", "x"],
    ...["http://[::1", "http://[1:2:3:4:5:6:7:8]", "http://[::ffff:1.2.3.4]", "http://[1::2::3]"],
    ...["http://x/%zz", "http://x/{a}", "http://x/\\", "http://x:port", "1http://x"],
    "a+b.c-d://x?/#?/",
    ...["http://x/a|b", "https://x.test/[a]", "http://x#a#b", "http:x", "http:/x", ""],
    ...[" http://x", "http://x\n"],
  ],
};

const characters = fc.constantFrom(
  ...["a", "Z", "0", "-", "_", ".", "@", " ", "\n", "é", "😀", "\ud800"],
);

/** Mostly what fits, and now and then what is at an edge or over it. */
const mostly = <T>(fitting: fc.Arbitrary<T>, edges: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 15, arbitrary: fitting }, { weight: 1, arbitrary: edges });

/** fast-check writes no strings for patterns that look ahead; their formats have samples. */
const matching = (pattern: string): fc.Arbitrary<string> =>
  pattern.includes("(?!")
    ? fc.constantFrom("a@b.co", "o'x+1@sub.example.org")
    : fc.stringMatching(new RegExp(pattern), { maxLength: 40 });

/** Strings, some of lengths around the bounds, in code points of one and two units. */
function strings(schema: JsonSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 30, pattern, format } = schema;
  const lengths = [0, 1, minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1];
  const samples = format ? [fc.constantFrom(...(FORMATS[format] ?? []))] : [];
  const edges = fc.oneof(
    fc
      .tuple(fc.constantFrom(...lengths), fc.constantFrom("a", "😀", "é", "\ud800", " "))
      .map(([length, character]) => character.repeat(Math.max(0, length))),
    fc.array(characters, { maxLength: 12 }).map((parts) => parts.join("")),
    ...samples,
  );
  if (pattern) return mostly(matching(pattern), edges);
  if (format) return fc.oneof(...samples, edges);
  return mostly(fc.string({ unit: "grapheme-ascii", minLength, maxLength: 20 }), edges);
}

function numbers({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): fc.Arbitrary<number> {
  const low = minimum ?? exclusiveMinimum ?? 0;
  const high = maximum ?? 100;
  const fitting = fc.integer({ min: low + (exclusiveMinimum === undefined ? 0 : 1), max: high });
  return mostly(
    type === "integer"
      ? fitting
      : fc.oneof(fitting, fc.double({ min: 1e-5, max: high, noNaN: true })),
    fc.oneof(
      fc.constantFrom(low - 1, low, low + 1, high - 1, high, high + 1, -0, 0.5, 1e300, 5e-324),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
  );
}

/** Values that are mostly of the schema's shape and often over one of its edges. */
function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.enum) return mostly(fc.constantFrom(...schema.enum), fc.string({ maxLength: 6 }));
  if (schema.type === "string") return strings(schema);
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "number" || schema.type === "integer") return numbers(schema);
  if (schema.type === "array") {
    const { minItems = 0, maxItems = 3, items = {} } = schema;
    const few = { minLength: minItems, maxLength: 2 };
    const many = { minLength: maxItems, maxLength: maxItems + 1 };
    return mostly(
      fc.array(valuesOf(items), few),
      valuesOf(items).chain((item) => fc.array(fc.constant(item), many)),
    );
  }
  if (schema.properties) {
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties).map(([name, field]) =>
      fc.option(
        valuesOf(field).map((value) => [name, value] as const),
        { nil: undefined, freq: required.has(name) ? 50 : 2 },
      ),
    );
    return fc
      .tuple(...fields)
      .map((entries) => Object.fromEntries(entries.filter((entry) => entry !== undefined)));
  }
  const { propertyNames = {}, additionalProperties } = schema;
  const values: fc.Arbitrary<unknown> =
    typeof additionalProperties === "object" ? valuesOf(additionalProperties) : junk;
  const entries = fc.array(fc.tuple(mostly(strings(propertyNames), awkwardKeys), values), {
    maxLength: 3,
  });
  return entries.map((list) => Object.fromEntries(list));
}

const awkwardKeys = fc.constantFrom(
  ...["__proto__", "constructor", "toString", "prototype", "filters", ""],
);

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, "", "x", [], {}, [[]], [null], { length: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Replaces, adds or removes something somewhere inside a JSON value. */
function mutate(
  value: unknown,
  steps: readonly number[],
  key: string,
  replacement: unknown,
): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return replacement;
  if (Array.isArray(value)) {
    const index = step % (value.length + 1);
    return value.toSpliced(index, 1, mutate(value[index], rest, key, replacement));
  }
  const entries = Object.entries(value);
  const index = step % (entries.length + 2);
  const entry = entries[index];
  if (entry) entries[index] = [entry[0], mutate(entry[1], rest, key, replacement)];
  else if (index === entries.length) entries.push([key, replacement]);
  else entries.shift();
  return Object.fromEntries(entries);
}

/** Values of the schema's shape, half of them with one thing in them changed. */
export const inputsOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const values = valuesOf(schema);
  const mutated: fc.Arbitrary<unknown> = fc
    .tuple(
      values,
      fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
      fc.oneof(awkwardKeys, fc.string({ maxLength: 4 })),
      junk,
    )
    .map(([value, steps, key, replacement]) => mutate(value, steps, key, replacement));
  return fc.oneof(values, mutated);
};

/** An independent validator of JSON Schema 2020-12 that also asserts formats. */
export function compile(schema: JsonSchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: true });
  formats.default(ajv);
  ajv.addFormat("uri", isUri);
  const validate = ajv.compile(schema);
  return (value) => validate(value);
}

/**
 * ajv-formats' `uri`, put right where it leaves RFC 3986: it takes `http://x:port`, with letters
 * for a port, for a path, and it does not know the empty path of `x:` and `x:?q`.
 */
function isUri(text: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:(?:[?#]|$)/i.test(text)) return isUri(text.replace(":", "://"));
  const host = /^[^:/?#]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/.exec(text)?.[1];
  if (host !== undefined && !/^(?:\[[^\]]*\]|[^:@[\]]*)(?::\d*)?$/.test(host)) return false;
  return typeof fullFormats.uri === "function" && fullFormats.uri(text);
}
