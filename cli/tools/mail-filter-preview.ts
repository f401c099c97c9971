import type { Command } from "commander";
import { MAX_MAIL_MB } from "../../schemas/mail-filter.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match.ts";
import type { NamedMessage, UnreadFilters } from "../../src/message-preview/preview-filters.ts";
import { isXml } from "../../src/text.ts";
import { UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read.ts";
import {
  fileInput,
  namingPlaces,
  readJsonFile,
  unplacedInput,
  warningMessages,
} from "../input/input.ts";
import type { CommonFlags, Io } from "../io.ts";
import { addExamples, addOptions, jsonOption, listOption, reportingOptions } from "../options.ts";
import { requireNoWarnings, toJsonText, writeLines, writeMessages } from "../output.ts";
import { requireFiles } from "./tool-flags.ts";

/** The flags of `preview` and `test`. */
export interface MatchFlags extends CommonFlags {
  readonly me?: readonly string[];
}

/** Where the filters of `preview` and `test` are. */
export const FILTERS = ["<filters>", "filters as JSON, or a mailFilters.xml"] as const;

export const matchOptions = () => [
  listOption("--me <address>", "one of your own addresses, for me; may be repeated"),
  jsonOption(),
  ...reportingOptions(),
];

/** Defines `mail-filter preview`: what filters would do with messages. */
export function definePreview(command: Command, io: Io): void {
  command
    .summary("show what filters would do with messages")
    .description(
      "Show which filters would match a message, and the terms that decide. It is an estimate by the published rules of the Gmail search; anything they leave open is unknown. Nothing is sent, and no body is printed.",
    )
    .argument(...FILTERS)
    .argument("<messages...>", "messages as .eml files; - is standard input");
  addExamples(command, [
    "handtools example mail-filter | tee filters.json",
    "printf 'From: a@shop.example\\nSubject: Your receipt\\n\\nThanks' | tee one.eml",
    "handtools mail-filter preview filters.json one.eml",
    "handtools mail-filter preview filters.json - --json < one.eml",
  ]);
  addOptions(command, ...matchOptions());
  command.action(async (file: string, files: readonly string[], { me, json }: MatchFlags) => {
    await requireFiles(command, [file, ...files], io);
    const { filters, unread } = await readMatchers(file, me, io);
    const messages: NamedMessage[] = [];
    for (const name of files) messages.push(await readMessage(name, io));
    requireNoWarnings(io);
    const { previewFilters, previewLines } = await import(
      "../../src/message-preview/preview-filters.ts"
    );
    const preview = previewFilters(filters, messages, unread);
    if (json) await io.writeOut(toJsonText(preview));
    else await writeLines(previewLines(preview), io);
  });
}

/**
 * Reads the filters of an input or of an export, ready to be matched with messages.
 *
 * @param me the account's own addresses.
 * @throws {UsageError} for a file of another kind, or filters that Gmail cannot express.
 */
export async function readMatchers(
  file: string,
  me: readonly string[] | undefined,
  io: Io,
): Promise<{ readonly filters: readonly FilterMatcher[]; readonly unread: UnreadFilters }> {
  const [
    { MatchOptionsSchema },
    { filterMatchers },
    { countUnread },
    { validFilters },
    { validate },
  ] = await Promise.all([
    import("../../src/mail-filter/match/mail.ts"),
    import("../../src/mail-filter/match/match.ts"),
    import("../../src/message-preview/preview-filters.ts"),
    import("../../src/mail-filter/filter.ts"),
    import("../../src/issues.ts"),
  ]);
  const flags = {
    ...unplacedInput({ me }),
    origin: (path: string) => ({ path: `--${path.replace(/\[.*/, "")}` }),
  };
  const options = await namingPlaces(flags, () => validate(MatchOptionsSchema, flags.value));
  if (!isXml(await readText(file, io))) {
    const input = fileInput(await readJsonFile(file, io));
    const filters = await namingPlaces(input, () =>
      filterMatchers(validFilters(input.value), options),
    );
    return { filters, unread: countUnread([]) };
  }
  const read = await readExportFile(file, io);
  const leftOut = read.warnings.filter(({ code }) => code === "left-out");
  await writeMessages(io, await warningMessages(leftOut, read.input));
  if (read.filters.length === 0) {
    throw new UsageError([
      { place: { file: sourceName(file) }, text: "has no filter that can be read" },
    ]);
  }
  return { filters: filterMatchers(read.filters, options), unread: countUnread(read.left_out) };
}

/**
 * Reads an export of Gmail, with the input that its findings are about.
 *
 * @throws {UsageError} for a file of another format.
 */
export async function readExportFile(file: string, io: Io) {
  const { readExport } = await import("../../src/mail-filter/export.ts");
  const text = await readText(file, io);
  const input = fileInput({ source: sourceName(file), value: text });
  return { ...(await namingPlaces(input, () => readExport(text))), input };
}

/**
 * Reads a message, with a warning where it can be read in part only.
 *
 * @throws {UsageError} for a file that is no single message.
 */
export async function readMessage(path: string, io: Io): Promise<NamedMessage> {
  const { parseMessage } = await import("../../src/message-preview/parse-message.ts");
  const file = sourceName(path);
  const parsed = await parseMessage(await io.readFile(path, MAX_MESSAGE_BYTES));
  if (!parsed) {
    throw new UsageError([
      { place: { file }, text: "must be one message, as an .eml file has it" },
    ]);
  }
  const { message, flaw } = parsed;
  if (flaw !== undefined) {
    await writeMessages(io, [{ severity: "warning", place: { file }, text: flaw }]);
  }
  return { file, message };
}

/** The largest message that Gmail receives, as base64 makes it. */
const MAX_MESSAGE_BYTES = 2 * MAX_MAIL_MB * 1024 * 1024;
