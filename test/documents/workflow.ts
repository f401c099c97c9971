import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { ROOT } from "./document.ts";

const texts = v.optional(v.record(v.string(), v.union([v.string(), v.boolean(), v.number()])), {});

const StepSchema = v.object({
  name: v.optional(v.string()),
  if: v.optional(v.string()),
  uses: v.optional(v.string()),
  shell: v.optional(v.string()),
  run: v.optional(v.string()),
  env: texts,
  with: texts,
});

/** A step of a workflow or a composite action. */
export type Step = v.InferOutput<typeof StepSchema>;

const WorkflowSchema = v.object({
  permissions: v.record(v.string(), v.string()),
  jobs: v.record(
    v.string(),
    // A job that calls another workflow has no steps of its own.
    v.object({ steps: v.optional(v.array(StepSchema), []) }),
  ),
});

const ActionSchema = v.object({
  inputs: v.record(v.string(), v.object({ description: v.string(), default: v.string() })),
  runs: v.object({ using: v.literal("composite"), steps: v.array(StepSchema) }),
});

/** @param path relative to the root. */
export const readWorkflow = (path: string) => v.parse(WorkflowSchema, parsed(path));

export const readAction = () => v.parse(ActionSchema, parsed("action.yml"));

const parsed = (path: string): unknown => Bun.YAML.parse(readFileSync(join(ROOT, path), "utf8"));

/** The values of the expressions that a step may have: `inputs.filters`. */
export type Context = Readonly<Record<string, string>>;

/** A text with its expressions filled in. */
const filledIn = (text: string, context: Context): string =>
  text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => named(name, context));

/** True if all comparisons of a step's `if` hold. */
export const isRun = ({ if: condition }: Step, context: Context): boolean =>
  condition === undefined ||
  condition.split(" && ").every((part) => {
    const [, name = "", operator, text] = /^([\w.]+) (==|!=) '([^']*)'$/.exec(part) ?? [];
    return (named(name, context) === text) === (operator === "==");
  });

function named(name: string, context: Context): string {
  const value = context[name];
  if (value === undefined) throw new Error(`no value is known for the expression ${name}`);
  return value;
}

interface Job {
  readonly folder: string;
  /** The job's variables, which a step may add to by the files of GITHUB_ENV and GITHUB_PATH. */
  readonly environment: Record<string, string>;
}

/** Runs the shell of a step as GitHub does, with the variables that the step names. */
export function runStep({ run = "", env }: Step, context: Context, job: Job) {
  const variables = Object.entries(env).map(([name, value]) => [
    name,
    filledIn(String(value), context),
  ]);
  const { exitCode, stdout, stderr } = Bun.spawnSync(
    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", run],
    { cwd: job.folder, env: { ...job.environment, ...Object.fromEntries(variables) } },
  );
  return { exitCode, output: `${stdout}${stderr}` };
}
