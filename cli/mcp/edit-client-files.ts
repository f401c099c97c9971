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
interface AppliedEdit extends ServerEdit, FileEdit {
  readonly path: string;
  readonly before: string;
}

/** All edits to one file. */
interface Plan {
  readonly path: string;
  readonly scope: Scope | undefined;
  /** Whether the file may be committed with the project. */
  readonly inProject: boolean;
  readonly edits: readonly ServerEdit[];
  readonly applied: readonly AppliedEdit[];
  readonly before: string;
  readonly after: string;
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
  rejectConflicts(rejected.flatMap(({ applied }) => applied));
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
  const outdated = plans.filter(({ before, after }) => before !== after);
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
    edit,
    file: await fileToEdit(edit.client, target, io),
  }));
  const plans: Plan[] = [];
  for (const [path, group] of groupBy(await Promise.all(located), ({ file }) => file.path)) {
    const [first] = group;
    if (!first) continue;
    const { scope, inProject } = first.file;
    const { writer } = first.edit.client.file ?? {};
    const file = { path, scope, inProject, edits: group.map(({ edit }) => edit) };
    plans.push({
      ...file,
      ...applyEdits(file, await readTextIfExists(path, io)),
      writer: writer?.scope === scope ? writer : undefined,
    });
  }
  return plans.sort((one, other) => Number(!one.writer) - Number(!other.writer));
}

/** @throws {UsageError} if the file cannot be changed safely. */
function applyEdits({ path, scope, edits }: Pick<Plan, "path" | "scope" | "edits">, text: string) {
  let after = text;
  const applied = edits.map((edit): AppliedEdit => {
    try {
      const step = { ...edit, path, before: after, ...edit.edit(after, scope) };
      after = step.text;
      return step;
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      throw new UsageError([`${path}: ${error.message}`]);
    }
  });
  return { applied, before: text, after };
}

const isConflict = ({ change }: AppliedEdit): boolean => change === "conflict";

const hasConflict = ({ applied }: Plan): boolean => applied.some(isConflict);

/** @throws {UsageError} if other servers have the same names. */
function rejectConflicts(applied: readonly AppliedEdit[]): void {
  const problems = applied
    .filter(isConflict)
    .map(
      ({ path, name }) =>
        `${path}: already has a different server named ${JSON.stringify(name)}; choose another name (--name NAME, or in the FILE), or replace it with --force`,
    );
  if (problems.length > 0) throw new UsageError(problems);
}

function formatDiff({ path, edits, before, after }: Plan): readonly string[] {
  const client = edits.at(-1)?.client.id;
  return [`${path}:`, ...(client ? maskedDiff(before, after, client) : [])];
}

async function applyToFile(planned: Plan, io: Io): Promise<void> {
  let plan = planned;
  let isReadable = false;
  if (plan.before !== plan.after) {
    const { readableByOthers } = await io.editFile(plan.path, (text) => {
      // The file may have changed since planning, and may already contain the edits.
      plan = { ...plan, ...applyEdits(plan, text) };
      rejectConflicts(plan.applied);
      return plan.after;
    });
    isReadable = readableByOthers;
  }
  await writeLines(plan.applied.map(formatResult), io);
  await writeDiagnostics(io, listRemarks(plan));
  const isSecret = plan.applied.some(({ text, client }) => hasSecret(text, client.id));
  if (isReadable && isSecret) await writeDiagnostics(io, [readableByOthersWarning(plan.path)]);
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
  for (const step of plan.applied) {
    const { client, name, change, before, text } = step;
    const addFrom = (file: string) => {
      const servers = listClientServers(parseConfig(file, client.id), client.id);
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
function listRemarks({ path, applied, inProject }: Plan): Diagnostic[] {
  const texts = [...new Set(applied.flatMap(({ notes = [] }) => notes))];
  const secret = applied.filter(
    ({ change, text, client, name }) =>
      (change === "added" || change === "replaced") && hasSecret(text, client.id, name),
  );
  if (inProject && secret.length > 0) {
    const names = secret.map(({ name }) => name).join(", ");
    const alternative = secret.some(({ client }) => client.references)
      ? ", or replace them with references such as ${NAME}"
      : "";
    texts.push(`seems to hold secrets (in ${names}): keep it out of version control${alternative}`);
  }
  return texts.map((text) => ({ severity: "warning", text: `${path}: ${text}` }));
}

function formatResult({ client, path, name, whenUnchanged, change }: AppliedEdit): string {
  const done = {
    added: `added ${name} to ${path}`,
    replaced: `replaced ${name} in ${path}`,
    removed: `removed ${name} from ${path}`,
    none: `${path} ${whenUnchanged}`,
    conflict: `${path} has a different server named ${JSON.stringify(name)}`,
  }[change];
  return `${client.title}: ${done}`;
}
