import * as v from "valibot";
import { nearName } from "./near-name.ts";

/** A `Map`, a date or an array is none: what they hold would be lost. */
function isJsonObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // The second look is for `Object.prototype`, that of another realm too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * An object with exactly these keys. Unlike `v.strictObject` it refuses an array, which JSON
 * Schema does not call an object either, and names every unknown key instead of the first.
 */
export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.strictObject(entries, "is required");
  type Input = v.InferInput<typeof schema>;
  return v.pipe(
    v.custom<Input>(isJsonObject, "must be an object"),
    v.lazy<v.GenericSchema<Input>>((value) => {
      const refusals = refusalsOfUnknown(Object(value), Object.keys(entries));
      return refusals.length === 0
        ? v.custom<Input>(() => true)
        : v.strictObject({ ...entries, ...Object.fromEntries(refusals) }, "is required");
    }),
    schema,
  );
}

/** A schema that says what is wrong for each key of the object that is not known. */
function refusalsOfUnknown(value: object, known: readonly string[]) {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const unlike = unknown.find((key) => nearName(key, known) === undefined);
  return unknown.map((key) => {
    const near = nearName(key, known);
    const advice = near ? `; did you mean ${near}?` : "";
    const list = key === unlike ? `; known are ${known.join(", ")}` : "";
    return [key, v.never(`is not a known field${advice}${list}`)] as const;
  });
}

interface StringMapRules {
  readonly key: RegExp;
  /** What a key may be, to complete "must be …". */
  readonly keyIs: string;
  readonly value: RegExp;
  /** What a value may be, to complete "must be …". */
  readonly valueIs: string;
  /** In code points. */
  readonly maxLength: number;
}

/**
 * A map from names to strings. Unlike `v.record` it keeps every own key:
 * `v.record` drops `constructor`, `prototype` and `__proto__` without a word.
 */
export function stringMap(rules: StringMapRules) {
  const valueSchema = v.pipe(
    v.string("must be a string"),
    v.maxCodePoints(rules.maxLength, `must have at most ${rules.maxLength} characters`),
    v.regex(rules.value, `must be ${rules.valueIs}`),
  );
  return v.pipe(
    v.custom<Record<string, string>>(isJsonObject, "must be an object"),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries<unknown>(dataset.value)) {
        const report = (message: string) =>
          addIssue({
            message,
            path: [{ type: "unknown", origin: "value", input: dataset.value, key, value }],
          });
        if (!rules.key.test(key)) report(`the name must be ${rules.keyIs}`);
        const checked = v.safeParse(valueSchema, value, { abortPipeEarly: true });
        if (!checked.success) report(checked.issues[0].message);
      }
    }),
    v.metadata({
      type: "object",
      propertyNames: { type: "string", pattern: rules.key.source },
      additionalProperties: {
        type: "string",
        maxLength: rules.maxLength,
        pattern: rules.value.source,
      },
    }),
  );
}
