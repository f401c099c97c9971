import {
  error,
  type Findings,
  info,
  type RejectionWords,
  type WarningWords,
  warning,
} from "../findings.ts";
import { listSome, plural, thousands } from "../text.ts";

const inQuotes = (text: string): string => JSON.stringify(text);

const warnings = {
  "idle-zap-rules-out-free": info(
    ({ steps }: { steps: number }) =>
      `never runs, but its ${steps} action steps rule the Free plan out; leave it out if it is switched off`,
  ),
  "loop-counts-once": warning(
    () => "has a loop: its steps are billed once for each item, but counted once here",
  ),
  "paths-dearest-branch": warning(
    ({ longest, all }: { longest: number; all: number }) =>
      `has Paths: its dearest branch has ${plural(longest, "action step")}, all branches together have ${all}`,
  ),
  "read-as": info(
    ({ heading, meaning }: { heading: string; meaning: string }) =>
      `${inQuotes(heading)} is read as ${meaning}`,
  ),
  "runs-unknown": warning(() => "needs its runs a month, which Zapier's export does not have"),
  "step-uses-more-tasks": warning(
    ({ apps }: { apps: readonly string[] }) =>
      `may use another number of tasks than is counted for ${apps.join(", ")}`,
  ),
  "title-repeated": warning(
    ({ row }: { row: number }) =>
      `has the same name as row ${row}: the runs of both rows are counted`,
  ),
  "zap-left-out": warning(
    ({ zap, reason }: { zap: string; reason: string }) => `${zap} is left out: it ${reason}`,
  ),
  "zap-not-billed": info(
    ({ zap, reason }: { zap: string; reason: string }) => `${zap} is left out: it ${reason}`,
  ),
} satisfies WarningWords<"automation_cost_calculator">;

const rejections = {
  "result-too-large": error(
    ({ bytes }: { bytes: number }) =>
      `makes a result of more than ${thousands(bytes)} bytes; give fewer automations`,
  ),
  "zip-archive": error(() => "is a ZIP archive; unpack it, and give the zapfile.json in it"),
  "file-too-large": error(({ most }: { most: string }) => `has more than ${most}`),
  "too-many-zaps": error(
    ({ count, most }: { count: number; most: number }) =>
      `has ${plural(count, "Zap")}; the calculator takes at most ${thousands(most)}`,
  ),
  "no-rows": error(
    ({ rows }: { rows: string }) => `has no Zaps that can be read${rows === "" ? "" : `: ${rows}`}`,
  ),
  "row-unread": error(
    ({ zap, reason }: { zap: string; reason: string }) => `${zap} is not read: it ${reason}`,
  ),
  "runs-missing": error(
    ({ names, flag }: { names: readonly string[]; flag: string }) =>
      `does not say how often ${listSome(names.map(inQuotes))} run in a month; give --runs ${flag} for each, or --runs-default 100`,
  ),
  "runs-in-table": error(() => "is a table with the runs of its Zaps, and takes no others"),
  "trigger-in-steps": error(
    ({ heading, withTrigger, without }: Record<"heading" | "withTrigger" | "without", string>) =>
      `has ${inQuotes(heading)}, which may count the trigger: if it does, the cheapest plan is ${withTrigger}, else ${without}; give --steps-include-trigger yes or no`,
  ),
  "zap-unknown": error(({ title }: { title: string }) => `has no Zap named ${inQuotes(title)}`),
  "not-json": error(() => "is not valid JSON"),
  "zap-too-long": error(({ most }: { most: number }) => `has a Zap of more than ${most} steps`),
  "open-quote": error(
    ({ row }: { row: number }) =>
      `has a cell in row ${row} that begins with a quote and does not end with one; write a quote within a cell twice`,
  ),
  "not-zapfile": error(
    () =>
      "is JSON, but not the zapfile.json (gdpr_v1) of Zapier's export, in which each Zap has a title, a status and nodes",
  ),
  "no-columns": error(
    ({ headings }: { headings: readonly string[] }) =>
      `needs the columns Zap, Action steps and Runs per month, or Zap and Tasks used, each once${headings.length === 0 ? "" : `; it has ${listSome(headings)}`}`,
  ),
} satisfies RejectionWords;

export const costFindings = { ...warnings, ...rejections };

export type CostFindings = Findings<typeof costFindings>;
