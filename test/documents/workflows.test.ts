import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Glob } from "bun";
import { handtools } from "../server/support/program.ts";
import { ROOT } from "./document.ts";
import { type Context, isRun, readAction, readWorkflow, runStep, type Step } from "./workflow.ts";

const EXAMPLE = "examples/repository/.github/workflows/handtools.yml";
const workflows = [
  ...new Glob(".github/workflows/*.yml").scanSync({ cwd: ROOT, dot: true }),
  EXAMPLE,
].sort();

const action = readAction();

const stepsOf = (path: string): readonly Step[] =>
  Object.values(readWorkflow(path).jobs).flatMap(({ steps }) => steps);

describe.each([
  ["action.yml", action.runs.steps],
  ...workflows.map((path) => [path, stepsOf(path)] as const),
])("%s", (path, steps) => {
  test("names every action by its commit, with the version behind it", () => {
    const lines = readFileSync(join(ROOT, path), "utf8").matchAll(/uses: (.*)/g);
    const used = Array.from(lines, ([, name = ""]) => name);
    const isPinned = (name: string) => /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(name);
    expect(used.filter((name) => !isPinned(name) && !name.startsWith("./"))).toEqual([]);
  });

  test("puts no expression into a shell, where its text would be a program", () => {
    expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
    expect(steps.some(({ run }) => run !== undefined)).toBeTrue();
  });
});

test("the jobs may do no more than they say", () => {
  for (const path of workflows)
    expect(readWorkflow(path).permissions).toEqual({ contents: "read" });
});

describe("the example repository's workflow", async () => {
  const home = mkdtempSync(join(tmpdir(), "handtools-ci-"));
  afterAll(() => rmSync(home, { recursive: true }));
  const bin = join(home, "bin");
  mkdirSync(bin);
  const words = (await handtools()).map((word) => `"${word}"`).join(" ");
  writeFileSync(
    join(bin, "handtools"),
    `#!/bin/sh
exec ${words} "$@"
`,
  );
  chmodSync(join(bin, "handtools"), 0o755);

  function checkout() {
    const folder = mkdtempSync(join(home, "checkout-"));
    const temporary = mkdtempSync(join(home, "temporary-"));
    cpSync(join(ROOT, "examples/repository"), folder, { recursive: true });
    const environment = {
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      HOME: folder,
      RUNNER_TEMP: temporary,
      GITHUB_PATH: join(temporary, "path"),
      GITHUB_STEP_SUMMARY: join(temporary, "summary"),
    };
    return { folder, temporary, environment };
  }

  /** Runs every shell step of the workflow and of the action in it, up to the first that fails. */
  function runAll(job: ReturnType<typeof checkout>) {
    const ended: { readonly name: string; readonly exitCode: number; readonly output: string }[] =
      [];
    for (const step of stepsOf(EXAMPLE)) {
      const isAction = step.uses === "./.handtools";
      const context = isAction ? contextOf(step) : {};
      for (const part of isAction ? action.runs.steps : [step]) {
        if (part.run === undefined || !isRun(part, context)) continue;
        ended.push({ name: part.name ?? "", ...runStep(part, context, job) });
        if (ended.at(-1)?.exitCode !== 0) return ended;
      }
    }
    return ended;
  }

  /** The values of the action's inputs. */
  function contextOf(step: Step): Context {
    const given = Object.entries(step.with).map(([name, value]) => [name, String(value)]);
    expect(given.filter(([name = ""]) => !(name in action.inputs))).toEqual([]);
    const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default]);
    const inputs = Object.entries(Object.fromEntries([...defaults, ...given]));
    return {
      "github.action_path": ROOT,
      ...Object.fromEntries(inputs.map(([name, value]) => [`inputs.${name}`, String(value)])),
    };
  }

  test("runs, step by step, and leaves the repository as it is", () => {
    const job = checkout();
    const ended = runAll(job);
    expect(ended.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(ended.map(({ name }) => name)).toEqual([
      "Install handtools",
      "Make mailFilters.xml",
      "Check the repository's mailFilters.xml",
      "Test the filters",
      "Check the install section of the README",
      "Add the searches to the job summary",
    ]);
    expect(ended.map(({ output }) => output).join("")).not.toContain("::");
    const xml = readFileSync(join(job.temporary, "mailFilters.xml"), "utf8");
    expect(xml).toBe(readFileSync(join(job.folder, "mailFilters.xml"), "utf8"));
    expect(readFileSync(join(job.temporary, "summary"), "utf8")).toContain(
      "to:(team@acme.example)",
    );
  });
});
