import * as v from "valibot";
import { type Contract, WarningSchema } from "../../../schemas/index.ts";
import { jsonSchema } from "../../../src/json-schema.ts";

/** What the results of all tools have in common. */
const OutputSchema = v.looseObject({
  file: v.optional(v.object({ name: v.string(), media_type: v.string(), content: v.string() })),
  warnings: v.array(WarningSchema),
});
export type ToolOutput = v.InferOutput<typeof OutputSchema>;

/** A tool's result, as far as all results are alike. */
export const readOutput = (result: unknown): ToolOutput => v.parse(OutputSchema, result);

/** Whether a tool makes a file to download. */
export const hasFile = ({ output }: Contract): boolean =>
  jsonSchema(output).properties?.file !== undefined;
