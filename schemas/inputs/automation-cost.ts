import * as v from "valibot";
import { closedObject, described, integer, list, type ReadonlyLists, textUpTo } from "../common.ts";

/** The periods by which Zapier is paid: the year, up front, or the month. */
export const BILLING = ["annual", "monthly"] as const;
/** Zapier's plans, the smallest first. */
export const PLANS = ["free", "professional", "team"] as const;

export const SYNONYMS = {
  actions: "action_steps",
  runs: "runs_per_month",
  runs_a_month: "runs_per_month",
  steps: "action_steps",
} as const;

export const actionStepsSchema = integer(
  1,
  100,
  "Action steps per run. Triggers, Filter, Paths, Formatter and Delay steps are free.",
);
export const runsPerMonthSchema = integer(0, 10_000_000, "How often it runs in a month.");

/** The most characters of an automation's name. */
export const MAX_ZAP_NAME = 200;

const ZapSchema = closedObject(
  {
    name: v.optional(described(textUpTo(MAX_ZAP_NAME), "Tells automations apart.")),
    action_steps: actionStepsSchema,
    runs_per_month: runsPerMonthSchema,
  },
  SYNONYMS,
);

const inputSchema = (maxZaps: number) =>
  closedObject({
    zaps: described(list(ZapSchema, { min: 1, max: maxZaps }), "The automations (Zaps)."),
    billing: v.optional(
      described(v.picklist(BILLING), "Paid by the year up front, or by the month."),
      "annual",
    ),
    team: v.optional(
      described(v.boolean(), "Several people share automations, which needs the Team plan."),
      false,
    ),
  });

/** The input after validation, with its defaults filled in. */
export interface ValidAutomationCostInput extends v.InferOutput<ReturnType<typeof inputSchema>> {}
/** Automations, as `automationCost()` reads them. */
export interface AutomationCostInput
  extends ReadonlyLists<v.InferInput<ReturnType<typeof inputSchema>>> {}
/** One automation. */
export type ZapInput = AutomationCostInput["zaps"][number];

export const automationCostInput: v.GenericSchema<AutomationCostInput, ValidAutomationCostInput> =
  inputSchema(25);
/** The most automations on the command line. */
export const MAX_LOCAL_ZAPS = 1_000;
/** The input with the higher limits of the command line. */
export const localAutomationCostInput: typeof automationCostInput = inputSchema(MAX_LOCAL_ZAPS);
