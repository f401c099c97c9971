import type { ClientConfig } from "../../schemas/mcp-config.ts";
import {
  ConfigFileError,
  type FileEdit,
  maskedDiff,
} from "../../src/mcp-config/edit/edit-config.ts";
import { hasSecret } from "../../src/mcp-config/edit/masked-diff.ts";
import { visibleLine } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import { editFile, readEditable, readTextIfExists } from "../files/edit-file.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { readableWarning, writeDifferences } from "../output.ts";

export interface ClientEdit {
  readonly config: ClientConfig;
  readonly path: string;
  readonly name: string;
  readonly edit: (text: string) => FileEdit;
  /** Shown when the file needs no change: "has docs already". */
  readonly already: string;
  /**
   * Lets the client's own program make the change, where only it may write the file.
   *
   * @param text the file before it.
   */
  readonly run?: (change: FileEdit["change"], text: string) => Promise<void>;
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
  const rejected = planned.filter(({ change }) => change === "conflict");
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
  if (dryRun) return;
  for (const edit of planned) await apply(edit, io);
}

interface PlannedEdit extends ClientEdit {
  readonly text: string;
  readonly change: FileEdit["change"];
  readonly diff: string;
}

async function plan(edit: ClientEdit, io: Io): Promise<PlannedEdit> {
  const text = await (edit.run ? readTextIfExists : readEditable)(edit.path, io);
  const { change, text: changed } = editOrReject(edit, text);
  return { ...edit, text, change, diff: maskedDiff(text, changed, edit.config.client) };
}

/** @throws {UsageError} for a file that cannot be changed safely. */
function editOrReject({ path, edit }: ClientEdit, text: string): FileEdit {
  try {
    return edit(text);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new UsageError([`${path}: ${error.message}`]);
  }
}

const preview = ({ path, change, diff }: PlannedEdit): readonly string[] => {
  const lines = change === "none" ? ["nothing to do"] : diff.trimEnd().split("\n");
  return [`${path}:`, ...lines].map((line) => line.replaceAll("\t", "  "));
};

async function apply(planned: PlannedEdit, io: Io): Promise<void> {
  const { path, text, change, run } = planned;
  if (change === "none") return io.writeOut(report(planned, change));
  if (run) {
    await run(change, text);
    return io.writeOut(report(planned, change));
  }
  // The file may have changed since the plan, and may already have the edit.
  let made: FileEdit["change"] = change;
  let written = text;
  const { backup, readableByOthers } = await editFile(
    path,
    (text) => {
      const edit = editOrReject(planned, text);
      made = edit.change;
      written = edit.change === "conflict" ? text : edit.text;
      return written;
    },
    io,
  );
  if (made === "conflict") {
    throw new UsageError([`${path}: now has another ${planned.name}; nothing is changed`]);
  }
  await io.writeOut(report(planned, made, backup));
  if (readableByOthers && made !== "removed" && hasSecret(written, planned.config.client)) {
    await writeMessages(io, [readableWarning(path)]);
  }
}

function report(
  { config, path, name, already }: PlannedEdit,
  change: FileEdit["change"],
  backup?: string,
): string {
  const done = {
    added: `added ${name} to ${path}`,
    replaced: `replaced ${name} in ${path}`,
    removed: `removed ${name} from ${path}`,
    none: `${path} ${already}`,
    conflict: `${path} has another ${name}`,
  }[change];
  const old = backup === undefined ? "" : `; the old file is ${backup}`;
  return `${visibleLine(`${config.title}: ${done}${old}`)}\n`;
}
