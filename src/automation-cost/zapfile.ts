import * as v from "valibot";
import { recordOf } from "../../schemas/common.ts";
import { MAX_ZAP_NAME } from "../../schemas/inputs/automation-cost.ts";
import { taskRules } from "./task-rules.ts";

/** A Zap of a zapfile: nothing else of the file is kept. */
export interface ExportedZap {
  readonly title: string;
  /** `on`, or anything else. */
  readonly status: string;
  readonly nodes: readonly Node[];
}

interface Node {
  readonly id: string;
  /** The id of the step before this one; undefined for the trigger. */
  readonly parent: string | undefined;
  /** The step's app in Zapier's names, `ZapierFormatter` of `ZapierFormatterCLIAPI@1.2.3`. */
  readonly app: string;
}

export interface Steps {
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

/** The fields read of a node. Its `params` hold secrets. */
const NodeSchema = v.object({
  parent_id: v.nullish(v.union([v.string(), v.number()])),
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
 * Parses Zapier's export.
 *
 * @returns the Zaps, or the reason why the text is not a zapfile. The reason quotes nothing, because the
 * text may hold secrets.
 */
export function parseZapfile(text: string): readonly ExportedZap[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not valid JSON";
  }
  const parsed = v.safeParse(ZapfileSchema, value);
  if (!parsed.success) return explainProblem(value);
  if (parsed.output.zaps.some(({ nodes }) => Object.keys(nodes).length > MAX_STEPS)) {
    return `has a Zap of more than ${MAX_STEPS} steps`;
  }
  return parsed.output.zaps.map(({ title, status, nodes }) => ({
    title: shortTitle(title) || "Zap without a title",
    status,
    nodes: Object.entries(nodes).map(([id, { parent_id, selected_api }]) => ({
      id,
      parent: parent_id === null || parent_id === undefined ? undefined : String(parent_id),
      app: selected_api.replace(/@.*$/, "").replace(/(?:V\d+)?(?:CLI)?API$/, ""),
    })),
  }));
}

/** Ten times what Zapier allows. */
const MAX_STEPS = 1_000;

/** A title, cut to the length that the name of an automation may have. */
export const shortTitle = (title: string): string =>
  [...title.trim().slice(0, 2 * MAX_ZAP_NAME)].slice(0, MAX_ZAP_NAME).join("");

function explainProblem(value: unknown): string {
  const { metadata, zaps } = Object(value);
  if (!Array.isArray(zaps)) {
    return "is JSON, but not the zapfile.json of Zapier's export, which has a list of zaps";
  }
  return Object(metadata).version === "gdpr_v1"
    ? "is a zapfile.json with a Zap that cannot be read: each has a title, a status and nodes"
    : "is an export of another version than gdpr_v1; export the Zaps again";
}

/** Counts the steps of a Zap. After Paths, several steps have the same parent. */
export function countSteps({ nodes }: ExportedZap): Steps {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const isTask = ({ parent, app }: Node) => parent !== undefined && !FREE_APPS.has(app);
  const parents = new Set(nodes.map(({ parent }) => parent));
  const counts = nodes
    .filter(({ id }) => !parents.has(id))
    .map((last) => {
      const seen = new Set<Node>();
      for (let node: Node | undefined = last; node && !seen.has(node); ) {
        seen.add(node);
        node = byId.get(node.parent ?? "");
      }
      return [...seen].filter(isTask).length;
    });
  return {
    longestPath: Math.max(0, ...counts),
    all: nodes.filter(isTask).length,
    triggers: nodes.filter(({ parent }) => parent === undefined).length,
    hasLoop: nodes.some(({ app }) => app === taskRules.loop_app),
    uncounted: Object.entries(taskRules.uncounted_apps)
      .filter(([name]) => nodes.some((node) => node.app === name && isTask(node)))
      .map(([, words]) => words),
  };
}

const FREE_APPS = new Set<string>(taskRules.free_apps);
