import * as v from "valibot";
import {
  type AutomationCostResult,
  MAX_EXTENDED_ZAPS,
  runsPerMonthSchema,
  type ZapInput,
} from "../../schemas/automation-cost.ts";
import { closedObject, recordOf } from "../../schemas/common.ts";
import { Findings, formatWarnings, type RawResult } from "../findings.ts";
import { validate } from "../issues.ts";
import { hasMoreBytes, isZip } from "../text.ts";
import { type CostFindings, costFindings } from "./cost-findings.ts";
import { parseZapTable, type SkippedRow } from "./zap-table.ts";
import { parseZapfile } from "./zapfile.ts";

/** The Zaps of a file. */
export interface ParsedZaps {
  /** For the input of `calculateAutomationCost()`. */
  readonly zaps: readonly ZapInput[];
  /** The runs of each Zap as the table has them, such as "15/day". Empty for a zapfile. */
  readonly runs_texts: readonly string[];
  /** The Zaps of a zapfile that still need their runs a month. */
  readonly without_runs: readonly Omit<ZapInput, "runs_per_month">[];
  /** The rows of a table that were skipped although Zapier may bill them. */
  readonly skipped_rows: readonly SkippedRow[];
  /**
   * The heading of a table's steps, if they may include the trigger, which is not a task. The steps are
   * read as if they did not; set `stepsIncludeTrigger` to decide.
   */
  readonly ambiguous_steps_heading?: string | undefined;
  /** Paths such as `zaps[0]` and `without_runs[0]` refer to the lists above. */
  readonly warnings: AutomationCostResult["warnings"];
}

/** Options of `parseZaps()`. */
export interface ParseZapsOptions extends v.InferInput<typeof ZapsOptionsSchema> {}

/**
 * Reads Zaps from the `zapfile.json` of Zapier's export, or from a table: separated by commas,
 * semicolons or tabs, or in Markdown. A table has columns for the name, the action steps, the runs a
 * month or the tasks used, and the status. From a zapfile we read titles, states and apps, never the
 * parameters of steps, which hold secrets. A row that cannot be read is skipped, with a warning.
 *
 * @param options for a zapfile, `runs`: the runs a month of a Zap by its title, and `defaultRuns` for all
 * other Zaps. For a table, `stepsIncludeTrigger`: whether a column "Steps" includes the trigger.
 * @throws {InvalidInputError} for any other file, and if the options break their schema.
 *
 * @example
 * const { zaps } = parseZaps("Zap,Action steps,Runs\nLeads,2,1000");
 * // [{ name: "Leads", action_steps: 2, runs_per_month: 1000 }]
 */
export const parseZaps = (text: string, options: ParseZapsOptions = {}): ParsedZaps =>
  formatWarnings(parseZapsRaw(text, options));

export function parseZapsRaw(text: string, options: ParseZapsOptions = {}): RawResult<ParsedZaps> {
  validate(v.string(), text);
  const { runs, defaultRuns, stepsIncludeTrigger } = validate(ZapsOptionsSchema, options, [
    "options",
  ]);
  const findings: CostFindings = new Findings(costFindings);
  if (isZip(text)) findings.fail("zip-archive");
  const body = text.replace(/^\uFEFF/, "");
  const isZapfile = /^\s*[{[]/.test(body);
  // A table has only names and numbers, and its parser allocates 200 bytes for each stray quote.
  const maxMebibytes = isZapfile ? 8 : 1;
  if (hasMoreBytes(text, maxMebibytes * 1_024 * 1_024))
    findings.fail("file-too-large", { most: maxMebibytes });
  if (!isZapfile && (runs ?? defaultRuns) !== undefined) findings.fail("runs-in-table");
  const found = {
    runs_texts: [],
    without_runs: [],
    skipped_rows: [],
    ...(isZapfile
      ? parseZapfile(body, findings, runs, defaultRuns)
      : parseZapTable(body, findings, stepsIncludeTrigger)),
  };
  const count = found.zaps.length + found.without_runs.length + found.skipped_rows.length;
  if (count > MAX_EXTENDED_ZAPS) findings.fail("too-many-zaps", { count, most: MAX_EXTENDED_ZAPS });
  return { ...found, warnings: findings.warnings };
}

const ZapsOptionsSchema = closedObject({
  runs: v.optional(recordOf(runsPerMonthSchema)),
  defaultRuns: v.optional(runsPerMonthSchema),
  stepsIncludeTrigger: v.optional(v.boolean()),
});
