import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { visibleLine } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import { editFile, readBackup, readEditable, readTextIfExists } from "../files/edit-file.ts";
import type { Io } from "../io.ts";
import { type Message, writeMessages } from "../messages/message.ts";
import { readableWarning, writeDifferences } from "../output.ts";
import { ConfigFileError, type FileEdit, maskedDiff } from "./edit/edit-config.ts";
import { hasSecret } from "./edit/masked-diff.ts";

export interface ClientEdit {
  readonly config: ClientConfig;
  readonly path: string;
  readonly name: string;
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
}

/**
 * Makes the changes and prints the outcome for each file. All files are read before the first
 * is written, so that a rejected change leaves the others undone too.
 *
 * @throws {UsageError} for a file that cannot be changed safely, and for another server of the same
 * name.
 */
export async function applyEdits(
  edits: readonly ClientEdit[],
  dryRun: boolean,
  io: Io,
): Promise<void> {
  const planned = [];
  for (const edit of edits) planned.push(await plan(edit, io));
  const rejected = planned.filter(({ planned: { change } }) => change === "conflict");
  if (dryRun) await writeDifferences(planned.flatMap(preview), io);
  else if (rejected.length > 0) {
    await io.writeError(
      rejected
        .flatMap(preview)
        .map((line) => `${visibleLine(line)}\n`)
        .join(""),
    );
  }
  if (rejected.length > 0) {
    throw new UsageError(
      rejected.map(
        ({ path, name }) =>
          `${path}: has another ${name}; give this one a name of its own (--name NAME, or in the FILE), or replace the other with --force`,
      ),
    );
  }
  if (dryRun) {
    for (const edit of planned) await writeMessages(io, remarks(edit, edit.text, edit.planned));
    return;
  }
  for (const edit of planned) await apply(edit, io);
}

interface PlannedEdit extends ClientEdit {
  readonly text: string;
  readonly backup: string | undefined;
  readonly planned: FileEdit;
  readonly diff: string;
}

async function plan(edit: ClientEdit, io: Io): Promise<PlannedEdit> {
  const text = await (edit.run ? readTextIfExists : readEditable)(edit.path, io);
  const backup = edit.run ? undefined : await readBackup(edit.path, io);
  const planned = editOrReject(edit, text, backup);
  const diff = maskedDiff(text, planned.text, edit.config.client);
  return { ...edit, text, backup, planned, diff };
}

/** @throws {UsageError} for a file that cannot be changed safely. */
function editOrReject(
  { path, edit }: ClientEdit,
  text: string,
  backup: string | undefined,
): FileEdit {
  try {
    return edit(text, backup);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new UsageError([`${path}: ${error.message}`]);
  }
}

const preview = ({ path, text, planned, diff }: PlannedEdit): readonly string[] => {
  const lines = planned.text === text ? ["nothing to do"] : diff.trimEnd().split("\n");
  return [`${path}:`, ...lines].map((line) => line.replaceAll("\t", "  "));
};

async function apply(edit: PlannedEdit, io: Io): Promise<void> {
  const { path, name, config, backup: older, planned, run } = edit;
  if (run) {
    if (planned.change !== "none") await run(planned, edit.text);
    await io.writeOut(report(edit, planned.change));
    return writeMessages(io, remarks(edit, edit.text, { ...planned, text: edit.text }));
  }
  // The file may have changed since the plan, and may already have the edit.
  let before = edit.text;
  let made = planned;
  const { backup, readableByOthers } =
    planned.text === edit.text
      ? { readableByOthers: false }
      : await editFile(
          path,
          (text) => {
            before = text;
            made = editOrReject(edit, text, older);
            return made.change === "conflict" ? text : made.text;
          },
          io,
        );
  if (made.change === "conflict") {
    throw new UsageError([`${path}: now has another ${name}; nothing is changed`]);
  }
  const isGone = made.change === "removed" || made.change === "replaced";
  const keepsSecret = isGone && hasSecret(before, config.client, name);
  await io.writeOut(report(edit, made.change, backup, keepsSecret));
  await writeMessages(io, remarks(edit, before, made));
  if (readableByOthers && made.change !== "removed" && hasSecret(made.text, config.client)) {
    await writeMessages(io, [readableWarning(path)]);
  }
}

/** What the user has to know of an edit, beside that it is done. */
function remarks(
  { config: { title }, path }: ClientEdit,
  before: string,
  { text, notes = [] }: FileEdit,
): Message[] {
  const isMarkGone = before.startsWith("\ufeff") && !text.startsWith("\ufeff");
  const mark = `${path}: ${title} rejects a file with a byte order mark, so the mark goes`;
  return [
    ...(isMarkGone ? [{ severity: "info" as const, text: mark }] : []),
    ...notes.map((note) => ({ severity: "warning" as const, text: `${path}: ${note}` })),
  ];
}

function report(
  { config, path, name, already }: PlannedEdit,
  change: FileEdit["change"],
  backup?: string,
  keepsSecret = false,
): string {
  const done = {
    added: `added ${name} to ${path}`,
    replaced: `replaced ${name} in ${path}`,
    removed: `removed ${name} from ${path}`,
    none: `${path} ${already}`,
    conflict: `${path} has another ${name}`,
  }[change];
  const secret = keepsSecret ? `, which still holds the secret of the old ${name}` : "";
  const old = backup === undefined ? "" : `; the old file is ${backup}${secret}`;
  return `${visibleLine(`${config.title}: ${done}${old}`)}\n`;
}
