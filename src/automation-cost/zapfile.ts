import * as v from "valibot";
import { actionStepsSchema } from "../../schemas/automation-cost.ts";
import { recordOf } from "../../schemas/common.ts";
import { Findings } from "../findings.ts";
import { findProblem } from "../issues.ts";
import {
  type LeftOutZap,
  leftOut,
  type ReadZap,
  type ReadZaps,
  type ReadZapsOptions,
  shortTitle,
} from "./file-zaps.ts";
import { type CostFindings, costFindings } from "./findings.ts";

/**
 * Zapier's own list of the steps that are tasks, by the names of its apps in an export. It names
 * few apps as an export does: the others are from public exports.
 */
export const taskRules = {
  source: "https://help.zapier.com/hc/en-us/articles/8496196837261",
  read_on: "2026-10-06",
  /** Paths, Filter, Formatter, Delay and the other apps whose steps do not count as tasks. */
  free_apps: [
    "Branching",
    "Delay",
    "Digest",
    "Filter",
    "Storage",
    "ZapierForms",
    "ZapierFormatter",
    "ZapierInterfaces",
    "ZapierLooping",
    "ZapierManager",
    "ZapierTables",
  ],
  /** The steps after a loop are tasks once for each item. */
  loop_app: "ZapierLooping",
  /** Apps whose steps may count as several tasks, or about which Zapier's pages disagree. */
  uncounted_apps: {
    AI: "AI by Zapier",
    Code: "Code by Zapier",
    LeadRouter: "Lead Router",
    MCPClient: "MCP calls",
    SubZap: "Sub-Zaps",
  },
} as const;

/** The fields read of a node. Its `params` hold secrets. */
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

type Nodes = v.InferOutput<typeof ZapfileSchema>["zaps"][number]["nodes"];

/**
 * Reads Zapier's export. Zapier bills only Zaps that are on, and of Paths usually one branch a run.
 *
 * @throws {InvalidInputError} for another text. Nothing of it is quoted, because it may hold secrets.
 */
export function readZapfile(text: string, { runs = {}, runsDefault }: ReadZapsOptions): ReadZaps {
  const findings = new Findings(costFindings);
  const left_out: LeftOutZap[] = [];
  const counted = parseZaps(text, findings).flatMap(({ title: name, status, nodes }) => {
    const steps = countSteps(nodes);
    const reason = whyLeftOut(status, steps);
    if (reason) left_out.push({ name, ...reason });
    return reason ? [] : { name, steps };
  });
  const known = new Set([...counted, ...left_out].map(({ name }) => name));
  for (const title of Object.keys(runs).filter((name) => !known.has(name))) {
    findings.add("zap-unknown", { title });
  }
  findings.throwIfRejected();

  const zaps: ReadZap[] = [];
  const without_runs: ReadZaps["without_runs"] = [];
  for (const { name, steps } of counted) {
    const { longestPath, all, hasLoop, uncounted } = steps;
    const read = { name, action_steps: longestPath };
    const runs_per_month = Object.hasOwn(runs, name) ? runs[name] : runsDefault;
    const zap =
      runs_per_month === undefined
        ? findings.at("without_runs", without_runs.push(read) - 1)
        : findings.at("zaps", zaps.push({ ...read, runs_per_month }) - 1);
    if (all > longestPath) zap.add("paths-dearest-branch", { longest: longestPath, all });
    if (hasLoop) zap.add("loop-counts-once");
    if (uncounted.length > 0) zap.add("step-uses-more-tasks", { apps: uncounted });
    if (runs_per_month === undefined) zap.add("runs-unknown");
  }
  return { zaps, without_runs, left_out, warnings: findings.warnings };
}

function parseZaps(text: string, findings: CostFindings) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    findings.fail("not-json");
  }
  const parsed = v.safeParse(ZapfileSchema, value);
  if (!parsed.success) return findings.fail("not-zapfile");
  return parsed.output.zaps.map(({ title, ...zap }) => {
    if (Object.keys(zap.nodes).length > MAX_STEPS) {
      findings.fail("zap-too-long", { most: MAX_STEPS });
    }
    return { ...zap, title: shortTitle(title) || "Zap without a title" };
  });
}

/** Ten times what Zapier allows. */
const MAX_STEPS = 1_000;

interface Steps {
  /** The action steps on the longest branch of Paths. */
  readonly longestPath: number;
  /** The action steps on all branches together. */
  readonly all: number;
  /** The number of steps without a step before them: one in a whole Zap. */
  readonly triggers: number;
  readonly hasLoop: boolean;
  /** The kinds of steps in the Zap that may use more than one task. */
  readonly uncounted: readonly string[];
}

/** Counts the steps of a Zap. After Paths, several steps have the same parent. */
function countSteps(nodes: Nodes): Steps {
  const byId = new Map(
    Object.entries(nodes).map(([id, { parent_id, selected_api }]) => {
      // In Zapier's names, `ZapierFormatter` of `ZapierFormatterCLIAPI@1.2.3`.
      const app = selected_api.replace(/@.*$/, "").replace(/(?:V\d+)?(?:CLI)?API$/, "");
      const isTrigger = parent_id === null || parent_id === undefined;
      const isTask = !isTrigger && !FREE_APPS.has(app);
      return [id, { parent: isTrigger ? undefined : String(parent_id), app, isTask }];
    }),
  );
  const steps = [...byId.values()];
  const parents = new Set(steps.map(({ parent }) => parent));
  const lengths = [...byId].flatMap(([id, last]) => {
    if (parents.has(id)) return [];
    const seen = new Set<typeof last>();
    for (let step: typeof last | undefined = last; step && !seen.has(step); ) {
      seen.add(step);
      step = byId.get(step.parent ?? "");
    }
    return [...seen].filter(({ isTask }) => isTask).length;
  });
  return {
    longestPath: Math.max(0, ...lengths),
    all: steps.filter(({ isTask }) => isTask).length,
    triggers: steps.filter(({ parent }) => parent === undefined).length,
    hasLoop: steps.some(({ app }) => app === taskRules.loop_app),
    uncounted: Object.entries(taskRules.uncounted_apps)
      .filter(([name]) => steps.some(({ app, isTask }) => isTask && app === name))
      .map(([, words]) => words),
  };
}

const FREE_APPS = new Set<string>(taskRules.free_apps);

function whyLeftOut(status: string, { longestPath, all, triggers }: Steps) {
  if (status === "off") return leftOut.off;
  if (status !== "on") return leftOut.status;
  if (triggers !== 1) return leftOut.triggers(triggers);
  if (all === 0) return leftOut.noTask;
  const problem = findProblem(actionStepsSchema, longestPath);
  return problem === undefined ? undefined : leftOut.steps(longestPath, problem);
}
