import * as v from "valibot";
import {
  type AutomationCostInput,
  MAX_LOCAL_ZAPS,
  runsPerMonthSchema,
} from "../../schemas/automation-cost.ts";
import { closedObject, recordOf } from "../../schemas/common.ts";
import { Findings } from "../findings.ts";
import { validate } from "../issues.ts";
import { hasMoreBytes, isZip, posixQuote } from "../text.ts";
import { automationCost } from "./automation-cost.ts";
import { nameLeftOut, type ReadZaps, type ReadZapsOptions } from "./file-zaps.ts";
import { type CostFindings, costFindings } from "./findings.ts";
import { money } from "./render.ts";
import { readZapTable } from "./zap-table.ts";
import { readZapfile } from "./zapfile.ts";

/**
 * Reads Zaps from the `zapfile.json` of Zapier's export, or from a table: comma-, semicolon- or
 * tab-separated, with or without a heading. Of a zapfile it reads titles, states and the kinds of
 * steps, and never their parameters, which hold secrets. It leaves out what the text does not say
 * for sure, such as a row with a cell too many.
 *
 * @throws {InvalidInputError} for any other text, and for options that break their schema.
 *
 * @example
 * const { zaps } = readZaps("Zap,Action steps,Runs\nLeads,2,1000");
 * // [{ name: "Leads", action_steps: 2, runs_per_month: 1000 }]
 */
export function readZaps(text: string, options: ReadZapsOptions = {}): ReadZaps {
  validate(v.string(), text);
  const given = validate(OptionsSchema, options, ["options"]);
  const findings: CostFindings = new Findings(costFindings);
  if (isZip(text)) findings.fail("zip-archive");
  if (hasMoreBytes(text, MAX_BYTES)) findings.fail("file-too-large", { most: "8 MiB" });
  const body = text.replace(/^\uFEFF/, "");
  const isZapfile = /^\s*[{[]/.test(body);
  const hasRuns = given.runsDefault !== undefined || Object.keys(given.runs ?? {}).length > 0;
  if (hasRuns && !isZapfile) findings.fail("runs-in-table");
  const found = isZapfile
    ? readZapfile(body, given)
    : readZapTable(body, given.stepsIncludeTrigger);
  const count = found.zaps.length + found.without_runs.length;
  if (count > MAX_LOCAL_ZAPS) findings.fail("too-many-zaps", { count, most: MAX_LOCAL_ZAPS });
  return found;
}

const OptionsSchema = closedObject({
  runs: v.optional(recordOf(runsPerMonthSchema)),
  runsDefault: v.optional(runsPerMonthSchema),
  stepsIncludeTrigger: v.optional(v.boolean()),
});

const MAX_BYTES = 8 * 1_024 * 1_024;

/**
 * The Zaps of a file as an input, complete enough to be priced.
 *
 * @param plan the billing of the input, and whether a team shares it.
 * @throws {InvalidInputError} for what `readZaps()` rejects, for a Zap without runs, for a row of a table
 * that is not read, and where the steps may count the trigger.
 */
export function readZapsAsInput(
  text: string,
  options?: ReadZapsOptions,
  plan: Pick<AutomationCostInput, "billing" | "team"> = {},
) {
  const { zaps, without_runs, left_out, warnings, unsure_steps } = readZaps(text, options);
  const findings: CostFindings = new Findings(costFindings);
  const [first] = without_runs;
  if (first) {
    const names = without_runs.map(({ name = "" }) => name);
    findings.fail("runs-missing", { names, flag: posixQuote(`${first.name}=100`) });
  }
  for (const { severity, reason, ...place } of left_out) {
    const zap = nameLeftOut(place);
    if (severity === "info") findings.add("zap-not-billed", { zap, reason });
    else findings.add(place.row === undefined ? "zap-left-out" : "row-unread", { zap, reason });
  }
  findings.throwIfRejected();
  // Every Zap has an action beside its trigger.
  if (unsure_steps !== undefined && zaps.every(({ action_steps }) => action_steps > 1)) {
    const [withTrigger = "", without = ""] = [1, 0].map((trigger) =>
      cheapestPrice({
        ...plan,
        zaps: zaps.map((zap) => ({ ...zap, action_steps: zap.action_steps - trigger })),
      }),
    );
    const heading = unsure_steps;
    if (withTrigger !== without) {
      findings.fail("trigger-in-steps", { heading, withTrigger, without });
    }
    const meaning = "action steps; if it counts the trigger, the price is the same";
    findings.add("read-as", { heading, meaning });
  }
  const inputs = zaps.length > 0 ? [{ zaps, ...plan }] : [];
  return { inputs, warnings: [...warnings, ...findings.warnings] };
}

function cheapestPrice(input: AutomationCostInput): string {
  const { cheapest } = automationCost(input, { limits: "local" });
  return cheapest ? `${money(cheapest.monthly_price)} a month` : "none of those listed";
}
