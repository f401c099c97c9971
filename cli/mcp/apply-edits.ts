import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { groupBy } from "../../src/group-by.ts";
import { clientDefinitions } from "../../src/mcp-config/clients/client-definitions.ts";
import { ConfigFileError } from "../../src/mcp-config/read/config-file.ts";
import { plural, visibleLine } from "../../src/text.ts";
import { CliError, type Problem, UsageError } from "../errors.ts";
import { readTextIfExists } from "../files/read.ts";
import { readBackup } from "../files/write.ts";
import type { Io } from "../io.ts";
import { type Message, readableWarning, writeDifferences, writeMessages } from "../output.ts";
import type { FileEdit } from "./edit/edit-config.ts";
import { hasSecret, maskedDiff } from "./edit/masked-diff.ts";

/** A change of one server in a client's file. */
export interface ClientEdit {
  readonly config: ClientConfig;
  readonly path: string;
  readonly name: string;
  /** True for a file that may be committed with the project. */
  readonly inProject: boolean;
  /** @param backup the file before the last edit, if it is still there. */
  readonly edit: (text: string, backup: string | undefined) => FileEdit;
  /** Shown when the file needs no change: "has docs already". */
  readonly already: string;
  /**
   * Lets the client's own program make the change, where only it may write the file.
   *
   * @param text the file before it.
   */
  readonly run?: (edit: FileEdit, text: string) => Promise<void>;
  /** Why only that program could make a change, and cannot; undefined if it can. */
  readonly findObstacle?: () => Promise<string | undefined>;
}

/** `dry-run` prints the changes; `check` prints them too, and fails if there are any. */
export type EditMode = "write" | "dry-run" | "check";

/**
 * Makes the changes, all of one file at once, and prints the outcome for each server. All files are
 * read before the first is written, so that a rejected change leaves the others undone too.
 *
 * @throws {UsageError} for a file that cannot be changed safely, and for another server of the same
 * name.
 * @throws {CliError} with `check`, for files that would change.
 * @throws {CliError} for a change that only a missing program could make.
 */
export async function applyEdits(
  edits: readonly ClientEdit[],
  mode: EditMode,
  io: Io,
): Promise<void> {
  const planned: PlannedFile[] = [];
  for (const [path, ofFile] of groupBy(edits, ({ path }) => path)) {
    planned.push(await plan(path, ofFile, io));
  }
  if (mode === "check") return check(planned, io);
  const rejected = planned.flatMap(({ steps }) => findConflicts(steps));
  if (mode === "dry-run") await writeDifferences(planned.flatMap(preview), io);
  else if (rejected.length > 0) {
    await io.writeError(
      planned
        .filter(({ steps }) => findConflicts(steps).length > 0)
        .flatMap(preview)
        .map((line) => `${visibleLine(line)}\n`)
        .join(""),
    );
  }
  if (rejected.length > 0) {
    const other =
      new Set(edits.map(({ name }) => name)).size > 1
        ? "leave this one out (--server names the others)"
        : "give this one a name of its own (--name NAME, or in the FILE)";
    throw new UsageError(
      rejected.map(
        ({ path, name }) =>
          `${path}: has another ${name}; ${other}, or replace the other with --force`,
      ),
    );
  }
  const obstacles = await listObstacles(planned);
  if (obstacles.length > 0) throw new CliError(obstacles);
  for (const file of planned) {
    if (mode === "dry-run") await writeMessages(io, listRemarks(file.steps));
    else await apply(file, io);
  }
}

interface PlannedFile {
  readonly path: string;
  readonly edits: readonly ClientEdit[];
  readonly text: string;
  /** The file before the last edit, if it is still there. */
  readonly backupText: string | undefined;
  readonly steps: readonly Step[];
}

/** A change, with the file's text before it and what it makes of that. */
interface Step extends ClientEdit {
  readonly before: string;
  readonly outcome: FileEdit;
}

async function plan(path: string, edits: readonly ClientEdit[], io: Io): Promise<PlannedFile> {
  const isRun = edits.some(({ run }) => run);
  const text = await readTextIfExists(path, io);
  const backupText = isRun ? undefined : await readBackup(path, io);
  return { path, edits, text, backupText, steps: planSteps(edits, text, backupText) };
}

/**
 * The changes of a file, one after the other.
 *
 * @throws {UsageError} for a file that cannot be changed safely.
 */
function planSteps(
  edits: readonly ClientEdit[],
  text: string,
  backupText: string | undefined,
): Step[] {
  let before = text;
  return edits.map((edit) => {
    try {
      const step = { ...edit, before, outcome: edit.edit(before, backupText) };
      before = step.outcome.text;
      return step;
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      throw new UsageError([`${edit.path}: ${error.message}`]);
    }
  });
}

const textAfter = (steps: readonly Step[], text: string): string =>
  steps.at(-1)?.outcome.text ?? text;

const findConflicts = (steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ outcome }) => outcome.change === "conflict");

/** Why files cannot get their changes; the changes of one file have the same obstacle. */
async function listObstacles(planned: readonly PlannedFile[]): Promise<readonly Problem[]> {
  const obstacles: Problem[] = [];
  for (const { path, steps } of planned) {
    const step = steps.find(({ outcome }) => outcome.change !== "none");
    const text = await step?.findObstacle?.();
    if (text !== undefined) obstacles.push({ place: { file: path }, text });
  }
  return obstacles;
}

/** The lines of the difference, or those of each change where the whole difference would be longer. */
function preview({ path, text, steps }: PlannedFile): readonly string[] {
  const difference = (before: string, after: string, { config }: Step) =>
    before === after ? [] : maskedDiff(before, after, config.client).trimEnd().split("\n");
  const each = steps.flatMap((step) => difference(step.before, step.outcome.text, step));
  const whole = steps.slice(-1).flatMap((last) => difference(text, last.outcome.text, last));
  const shorter = whole.length <= each.length ? whole : each;
  const lines = shorter.length === 0 ? ["nothing to do"] : shorter;
  return [`${path}:`, ...lines].map((line) => line.replaceAll("\t", "  "));
}

async function check(planned: readonly PlannedFile[], io: Io): Promise<void> {
  const outdated = planned.filter(({ steps, text }) => textAfter(steps, text) !== text);
  if (outdated.length === 0) return;
  await writeDifferences(outdated.flatMap(preview), io);
  throw new CliError([
    ...outdated.map(({ path, steps }) => {
      const others = findConflicts(steps).map(({ name }) => name);
      const advice =
        others.length > 0
          ? `has another ${others.join(", ")}; run this without --check, and with --force to replace it`
          : "is not up to date; run this without --check";
      return { place: { file: path }, text: advice };
    }),
    ...(await listObstacles(outdated)),
  ]);
}

async function apply(file: PlannedFile, io: Io): Promise<void> {
  const { path, edits, text, backupText } = file;
  if (edits.some(({ run }) => run)) {
    for (const step of file.steps) {
      if (step.outcome.change !== "none") await step.run?.(step.outcome, step.before);
      await io.writeOut(report(step));
      // The program writes the file in its own way.
      await writeMessages(
        io,
        remarks({ ...step, outcome: { ...step.outcome, text: step.before } }),
      );
    }
    return;
  }
  // The file may have changed since the plan, and may already have the edits.
  let steps = file.steps;
  const { backup, readableByOthers } =
    textAfter(steps, text) === text
      ? { readableByOthers: false }
      : await io.editFile(path, (now) => {
          steps = planSteps(edits, now, backupText);
          return findConflicts(steps).length > 0 ? now : textAfter(steps, now);
        });
  const [conflict] = findConflicts(steps);
  if (conflict) {
    throw new UsageError([`${path}: now has another ${conflict.name}; nothing is changed`]);
  }
  const secrets = steps.filter(keepsSecret).map(({ name }) => name);
  const last = steps.findLast(({ before, outcome: { text } }) => text !== before);
  for (const step of steps) {
    await io.writeOut(report(step, step === last ? backup : undefined, secrets));
  }
  await writeMessages(io, listRemarks(steps));
  const isFilled = steps.some(
    ({ outcome: { change, text }, config }) =>
      change !== "removed" && hasSecret(text, config.client),
  );
  if (readableByOthers && isFilled) await writeMessages(io, [readableWarning(path)]);
}

/** True for a server whose secret stays in the old file alone. */
const keepsSecret = ({ before, outcome: { change }, config, name }: Step): boolean =>
  (change === "removed" || change === "replaced") && hasSecret(before, config.client, name);

/** What the user has to know of the changes of a file, once. */
const listRemarks = (steps: readonly Step[]): Message[] => [
  ...new Map(steps.flatMap(remarks).map((message) => [message.text, message])).values(),
  ...secretRemark(steps),
];

/** Warns about secrets that get into a file that may be committed. */
function secretRemark(steps: readonly Step[]): Message[] {
  const [first, ...others] = steps.filter(
    ({ inProject, outcome: { change, text }, config, name }) =>
      inProject &&
      (change === "added" || change === "replaced") &&
      hasSecret(text, config.client, name),
  );
  if (!first) return [];
  const { config, path } = first;
  const instead = clientDefinitions[config.client].references
    ? ", or install with references such as ${NAME} in their place"
    : "";
  const text = `${path}: seems to hold secrets of ${plural(others.length + 1, "server")}: keep it out of version control while they are in it${instead}`;
  return [{ severity: "warning", text }];
}

/** What the user has to know of a change, beside that it is done. */
function remarks({
  config: { title },
  path,
  before,
  outcome: { text, notes = [] },
}: Step): Message[] {
  const isMarkGone = before.startsWith("\ufeff") && !text.startsWith("\ufeff");
  const mark = `${path}: ${title} rejects a file with a byte order mark, so the mark goes`;
  return [
    ...(isMarkGone ? [{ severity: "info" as const, text: mark }] : []),
    ...notes.map((note) => ({ severity: "warning" as const, text: `${path}: ${note}` })),
  ];
}

/** @param secrets the servers whose secrets the old file still has. */
function report(
  { config, path, name, already, outcome: { change } }: Step,
  backup?: string,
  secrets: readonly string[] = [],
): string {
  const done = {
    added: `added ${name} to ${path}`,
    replaced: `replaced ${name} in ${path}`,
    removed: `removed ${name} from ${path}`,
    none: `${path} ${already}`,
    conflict: `${path} has another ${name}`,
  }[change];
  const secret =
    secrets.length > 0 ? `, which still holds the secret of the old ${secrets.join(", ")}` : "";
  const old = backup === undefined ? "" : `; the old file is ${backup}${secret}`;
  return `${visibleLine(`${config.title}: ${done}${old}`)}\n`;
}
