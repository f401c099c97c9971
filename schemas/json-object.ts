import * as v from "valibot";

const isJsonObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * An object with exactly these keys. Unlike `v.strictObject` it refuses an array,
 * which JSON Schema does not call an object either.
 */
export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(", ");
  const schema = v.strictObject(entries, (issue) =>
    issue.expected === "never" ? `is not a known field; known are ${known}` : "is required",
  );
  return v.pipe(v.custom<v.InferInput<typeof schema>>(isJsonObject, "must be an object"), schema);
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
