import fc from "fast-check";
import type { Contract } from "../../schemas/index.ts";

/** What JavaScript has beyond JSON. */
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

/** The same JSON value of objects that inherit nothing, not even `toString`. */
function orphaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orphaned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, orphaned(part)]);
  return Object.setPrototypeOf(Object.fromEntries(entries), null);
}

/** Values that no JSON text gives, alone and in the place of one field of the tool's example. */
export function strangeInputs({ example_input }: Contract): fc.Arbitrary<unknown> {
  const fields = fc.constantFrom("unknown", ...Object.keys(Object(example_input)));
  const inFields = fc
    .tuple(fields, anything)
    .map(([field, value]) => ({ ...Object(example_input), [field]: value }));
  return fc.oneof(anything, inFields, fc.constant(orphaned(example_input)));
}
