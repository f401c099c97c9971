import { groupBy } from "../../src/group-by.ts";
import type { ClientDefinition } from "../../src/mcp-config/client-definition.ts";
import {
  ConfigFileError,
  listClientServers,
  parseConfig,
} from "../../src/mcp-config/parse/find-servers.ts";
import { CliError, UsageError } from "../cli-error.ts";
import { readTextIfExists } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import {
  type Diagnostic,
  NOT_UP_TO_DATE,
  readableByOthersWarning,
  writeDiagnostics,
  writeDifferences,
  writeLines,
} from "../output.ts";
import { fileToEdit, type Scope, type TargetFlags } from "./client-files.ts";
import type { FileEdit } from "./edit/edit-config.ts";
import { hasSecret, maskedDiff } from "./edit/masked-diff.ts";

export interface ServerEdit {
  readonly client: ClientDefinition;
  readonly name: string;
  readonly edit: (text: string, scope: Scope | undefined) => FileEdit;
  /** Printed if the file needs no change: "has docs already". */
  readonly whenUnchanged: string;
}

/** An edit with its file, the file's text, and the result. */
interface PlannedEdit extends ServerEdit, FileEdit {
  readonly path: string;
  readonly before: string;
}

/** All edits to one file. */
interface Plan {
  readonly path: string;
  readonly text: string;
  readonly steps: readonly PlannedEdit[];
  /**
   * Plans the edits again for a file that has changed meanwhile.
   *
   * @throws {UsageError} if the file cannot be changed safely.
   */
  readonly replan: (text: string) => readonly PlannedEdit[];
  /** Whether the file may be committed with the project. */
  readonly inProject: boolean;
  /** The only program that may write the file. */
  readonly writer: Writer | undefined;
}

type Writer = NonNullable<NonNullable<ClientDefinition["file"]>["writer"]>;

/** The files to change, and whether to only compare them. */
export interface ChangeFlags extends TargetFlags {
  readonly check?: true;
}

/**
 * Applies the edits file by file, and prints the result for each server. Reads every file before
 * writing the first, so that a rejected edit changes nothing.
 *
 * @throws {UsageError} if a file cannot be changed safely, or has another server with the same
 * name.
 * @throws {CliError} with `check`, if a file would change.
 */
export async function editClientFiles(
  edits: readonly ServerEdit[],
  flags: ChangeFlags,
  io: Io,
): Promise<void> {
  const plans = await planFiles(edits, flags, io);
  if (flags.check) return requireUnchanged(plans, io);
  const rejected = plans.filter(hasConflict);
  await writeDifferences(rejected.flatMap(formatDiff), io, "error");
  rejectConflicts(rejected.flatMap(({ steps }) => steps));
  for (const plan of plans) {
    if (plan.writer) await applyByProgram(plan, plan.writer, io);
    else await applyToFile(plan, io);
  }
}

/**
 * Prints the edits and remarks for the user.
 *
 * @throws {CliError} if there are any edits.
 */
async function requireUnchanged(plans: readonly Plan[], io: Io): Promise<void> {
  const outdated = plans.filter(({ steps, text }) => textAfter(steps, text) !== text);
  if (outdated.length === 0) return;
  await writeDifferences(outdated.flatMap(formatDiff), io);
  await writeDiagnostics(io, outdated.flatMap(listRemarks));
  const problems = outdated.map((plan) => {
    const text = hasConflict(plan) ? HAS_OTHER_SERVER : NOT_UP_TO_DATE;
    return { location: { file: plan.path }, text };
  });
  throw new CliError(problems);
}

const HAS_OTHER_SERVER =
  "has a different server with the same name; to replace it, run this with --force instead of --check";

/** Files written by programs come first: if a program is missing, no other file changes. */
async function planFiles(
  edits: readonly ServerEdit[],
  target: TargetFlags,
  io: Io,
): Promise<Plan[]> {
  const located = edits.map(async (edit) => ({
    ...edit,
    ...(await fileToEdit(edit.client, target, io)),
  }));
  const plans: Plan[] = [];
  for (const [path, fileEdits] of groupBy(await Promise.all(located), ({ path }) => path)) {
    const text = await readTextIfExists(path, io);
    const replan = (text: string) => planSteps(fileEdits, text);
    const [first] = fileEdits;
    const writer = first?.client.file?.writer;
    plans.push({
      ...{ path, text, replan, steps: replan(text) },
      inProject: first?.inProject === true,
      writer: writer?.scope === first?.scope ? writer : undefined,
    });
  }
  return plans.sort((one, other) => Number(!one.writer) - Number(!other.writer));
}

/** @throws {UsageError} if the file cannot be changed safely. */
function planSteps(
  edits: readonly (ServerEdit & Awaited<ReturnType<typeof fileToEdit>>)[],
  text: string,
): readonly PlannedEdit[] {
  let before = text;
  return edits.map((edit) => {
    try {
      const step = { ...edit, before, ...edit.edit(before, edit.scope) };
      before = step.text;
      return step;
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      throw new UsageError([`${edit.path}: ${error.message}`]);
    }
  });
}

const textAfter = (steps: readonly PlannedEdit[], text: string): string =>
  steps.at(-1)?.text ?? text;

const isConflict = ({ change }: PlannedEdit): boolean => change === "conflict";

const hasConflict = ({ steps }: Plan): boolean => steps.some(isConflict);

/** @throws {UsageError} if other servers have the same names. */
function rejectConflicts(steps: readonly PlannedEdit[]): void {
  const problems = steps
    .filter(isConflict)
    .map(
      ({ path, name }) =>
        `${path}: already has a different server named ${JSON.stringify(name)}; choose another name (--name NAME, or in the FILE), or replace it with --force`,
    );
  if (problems.length > 0) throw new UsageError(problems);
}

function formatDiff({ path, text, steps }: Plan): readonly string[] {
  const client = steps.at(-1)?.client.id;
  const lines = client ? maskedDiff(text, textAfter(steps, text), client) : [];
  return [`${path}:`, ...lines];
}

async function applyToFile(plan: Plan, io: Io): Promise<void> {
  const { path } = plan;
  let { steps } = plan;
  // The file may have changed since planning, and may already contain the edits.
  const { readableByOthers } =
    textAfter(steps, plan.text) === plan.text
      ? { readableByOthers: false }
      : await io.editFile(path, (currentText) => {
          steps = plan.replan(currentText);
          rejectConflicts(steps);
          return textAfter(steps, currentText);
        });
  await writeLines(steps.map(formatResult), io);
  await writeDiagnostics(io, listRemarks({ ...plan, steps }));
  const isSecret = steps.some(({ text, client }) => hasSecret(text, client.id));
  if (readableByOthers && isSecret) await writeDiagnostics(io, [readableByOthersWarning(path)]);
}

/** Runs the client's own program to apply the edits. */
async function applyByProgram(plan: Plan, writer: Writer, io: Io): Promise<void> {
  const { command, add, remove } = writer;
  const run = async (args: readonly string[]) => {
    const { code, output } = await io.runProgram(command, args).catch((error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      const text = `only the program ${command} can change this file, and it does not start; install it, or use --scope project`;
      throw new CliError([{ location: { file: plan.path }, text }]);
    });
    if (code === 0) return;
    const [line = ""] = output.trim().split("\n");
    const action = [command, ...args.slice(0, 2)].join(" ");
    throw new CliError([`${action}: ended with code ${code}: ${line}`]);
  };
  for (const step of plan.steps) {
    const {
      client: { id },
      name,
      change,
      before,
      text,
    } = step;
    const addFrom = (file: string) => {
      const servers = listClientServers(parseConfig(file, id), id);
      return run(add(name, JSON.stringify(servers.find((server) => server.name === name)?.entry)));
    };
    if (change === "replaced" || change === "removed") await run(remove(name));
    try {
      if (change === "added" || change === "replaced") await addFrom(text);
    } catch (error) {
      // The program cannot replace a server, and a failure must not lose the old server.
      if (change === "replaced") await addFrom(before);
      throw error;
    }
    await writeLines([formatResult(step)], io);
  }
  await writeDiagnostics(io, listRemarks(plan));
}

/** Lists what the user must know about a file's edits. */
function listRemarks({ path, steps, inProject }: Plan): Diagnostic[] {
  const notes = new Set(steps.flatMap(({ notes = [] }) => notes));
  const messages = Array.from(notes, (note): Diagnostic => {
    return { severity: "warning", text: `${path}: ${note}` };
  });
  const secret = steps.filter(
    ({ change, text, client, name }) =>
      (change === "added" || change === "replaced") && hasSecret(text, client.id, name),
  );
  if (inProject && secret.length > 0) {
    const names = secret.map(({ name }) => name).join(", ");
    const alternative = secret.some(({ client }) => client.references)
      ? ", or replace them with references such as ${NAME}"
      : "";
    const text = `${path}: seems to hold secrets (in ${names}): keep it out of version control${alternative}`;
    messages.push({ severity: "warning", text });
  }
  return messages;
}

function formatResult({ client, path, name, whenUnchanged, change }: PlannedEdit): string {
  const done = {
    added: `added ${name} to ${path}`,
    replaced: `replaced ${name} in ${path}`,
    removed: `removed ${name} from ${path}`,
    none: `${path} ${whenUnchanged}`,
    conflict: `${path} has a different server named ${JSON.stringify(name)}`,
  }[change];
  return `${client.title}: ${done}`;
}
