import * as v from "valibot";

/** A string of `min` to `max` code points, as JSON Schema counts them. */
export const text = (min: number, max: number) =>
  v.pipe(v.string(), v.minCodePoints(min), v.maxCodePoints(max));

/** A string of at most `max` code points. */
export const shortText = (max: number) => v.pipe(v.string(), v.maxCodePoints(max));

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number, description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.description(description));

const SEVERITIES = ["info", "warning"] as const;

/** A remark on an accepted input: nothing is refused, but the user should know. */
export const WarningSchema = v.strictObject({
  code: v.pipe(v.string(), v.description("Stable identifier; branch on this.")),
  severity: v.picklist(SEVERITIES),
  path: v.pipe(
    v.string(),
    v.description("The place it is about, such as filters[0].from[1]; empty for the whole."),
  ),
  message: v.string(),
});
export type Warning = v.InferOutput<typeof WarningSchema>;

export const WarningsSchema = v.array(WarningSchema);
