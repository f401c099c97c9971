import * as v from "valibot";
import type { ZapInput } from "../../schemas/automation-cost.ts";
import { recordOf } from "../../schemas/common.ts";
import { type CostFindings, describeRow } from "./cost-findings.ts";

/**
 * Zapier's list of the steps that are not tasks, by the names of apps in exports. Zapier's page uses
 * other names for most apps; these are from public exports.
 */
export const taskRules = {
  source: "https://help.zapier.com/hc/en-us/articles/8496196837261",
  read_on: "2026-10-06",
  free_apps: [
    "Branching",
    "Delay",
    "Digest",
    "Filter",
    "Interfaces",
    "Storage",
    "Table",
    "ZapierFormatter",
    "ZapierLooping",
    "ZapierManager",
  ],
  /** Apps whose steps can count as several tasks, or on which Zapier's pages disagree. */
  uncounted_apps: {
    AI: "AI by Zapier",
    Code: "Code by Zapier",
    LeadRouter: "Lead Router",
    MCPClient: "MCP calls",
    SubZap: "Sub-Zaps",
    ZapierLooping: "the steps of a loop, which count once for each item",
  },
} as const;

/** The fields that we read. `params` holds secrets. */
const NodeSchema = v.object({
  parent_id: v.nullish(v.union([v.string(), v.number()], "must be a string or a number")),
  selected_api: v.nullish(v.string(), ""),
});

const ZapfileSchema = v.object({
  metadata: v.object({ version: v.literal("gdpr_v1") }),
  zaps: v.array(
    v.object({
      title: v.nullish(v.string(), ""),
      status: v.nullish(v.string(), ""),
      nodes: recordOf(NodeSchema),
    }),
  ),
});

/**
 * Reads Zapier's export. Zapier bills only Zaps that are on, and usually one branch of Paths per run.
 *
 * @param runs the runs a month of a Zap, by its title.
 * @param defaultRuns the runs of all other Zaps.
 * @throws {InvalidInputError} for any other file. The message quotes nothing, because of secrets.
 */
export function parseZapfile(
  text: string,
  findings: CostFindings,
  runs: Readonly<Record<string, number>> = {},
  defaultRuns?: number,
) {
  const exported = parseZapfileZaps(text, findings);
  const titles = new Set(exported.map(({ name }) => name));
  for (const title of Object.keys(runs)) {
    if (!titles.has(title)) findings.add("zap-unknown", { title });
  }
  findings.throwIfRejected();

  const zaps: ZapInput[] = [];
  const without_runs: Omit<ZapInput, "runs_per_month">[] = [];
  for (const { name, status, nodes } of exported) {
    const { longestPath, all, isOrdered, uncounted } = countSteps(nodes);
    const place = describeRow(name);
    if (status === "off") findings.add("zap-not-billed", { place });
    else if (status !== "on") findings.add("zap-skipped", { place });
    else if (!isOrdered) findings.add("zap-skipped/order", { place });
    else if (all === 0) findings.add("zap-not-billed/no-task", { place });
    else {
      const zap = { name, action_steps: longestPath };
      const runs_per_month = Object.hasOwn(runs, name) ? runs[name] : defaultRuns;
      const here =
        runs_per_month === undefined
          ? findings.at("without_runs", without_runs.push(zap) - 1)
          : findings.at("zaps", zaps.push({ ...zap, runs_per_month }) - 1);
      if (all > longestPath) here.add("paths-longest-branch", { longest: longestPath, all });
      if (uncounted.length > 0) here.add("step-uses-more-tasks", { apps: uncounted });
    }
  }
  return { zaps, without_runs };
}

function parseZapfileZaps(text: string, findings: CostFindings) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    findings.fail("not-json");
  }
  const parsed = v.safeParse(ZapfileSchema, value);
  if (!parsed.success) return findings.fail("not-zapfile");
  return parsed.output.zaps.map(({ title, ...zap }) => ({
    ...zap,
    name: title.trim() || "Zap without a title",
  }));
}

/** Counts the action steps of a Zap, on the longest branch of Paths and on all branches. */
function countSteps(nodes: Readonly<Record<string, v.InferOutput<typeof NodeSchema>>>) {
  const steps = Object.entries(nodes).map(([id, { parent_id, selected_api }]) => {
    // `ZapierFormatterCLIAPI@1.2.3` becomes `ZapierFormatter`.
    const app = selected_api.replace(/@.*$/, "").replace(/(?:V\d+)?(?:CLI)?API$/, "");
    const parent = String(parent_id ?? "");
    return { id, parent, app, isTask: parent !== "" && !FREE_APPS.has(app) };
  });
  const byParent = new Map<string, typeof steps>();
  for (const step of steps) {
    const siblings = byParent.get(step.parent) ?? [];
    siblings.push(step);
    byParent.set(step.parent, siblings);
  }
  const triggers = byParent.get("") ?? [];
  let longestPath = 0;
  const reached = triggers.map(({ id }) => ({ id, tasks: 0 }));
  for (const { id, tasks } of reached) {
    longestPath = Math.max(longestPath, tasks);
    for (const next of byParent.get(id) ?? []) {
      reached.push({ id: next.id, tasks: tasks + Number(next.isTask) });
    }
  }
  return {
    longestPath,
    all: steps.filter(({ isTask }) => isTask).length,
    isOrdered: triggers.length === 1 && reached.length === steps.length,
    uncounted: Object.entries(taskRules.uncounted_apps)
      .filter(([name]) => steps.some(({ app, parent }) => parent !== "" && app === name))
      .map(([, words]) => words),
  };
}

const FREE_APPS = new Set<string>(taskRules.free_apps);
