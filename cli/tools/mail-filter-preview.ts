import { dirname, resolve } from "node:path";
import { MAX_MESSAGE_MB } from "../../schemas/mail-filter.ts";
import { type FilterTest, filterTestsSchema } from "../../schemas/mail-tests.ts";
import { type Path, validate } from "../../src/issues.ts";
import { runFilterTest } from "../../src/mail-filter/match/filter-test.ts";
import { createFilterMatchers } from "../../src/mail-filter/match/match-filters.ts";
import { type MailMessage, MatchOptionsSchema } from "../../src/mail-filter/match/message.ts";
import {
  countUnread,
  type NamedMessage,
  previewFilters,
  previewLines,
  unreadLines,
} from "../../src/message-preview/preview-filters.ts";
import { formatCount, isXml, isZip } from "../../src/text.ts";
import { CliError, type LocatedProblem, UsageError } from "../cli-error.ts";
import { readText, sourceName } from "../files/read-file.ts";
import { findPosition } from "../input/parse-jsonc.ts";
import {
  fileInput,
  inputWithoutLocations,
  readJsonFile,
  toDiagnostics,
  withLocations,
} from "../input/read-input.ts";
import type { CommonFlags, Io } from "../io.ts";
import {
  addExamples,
  addOptions,
  type DefineCommand,
  jsonOption,
  repeatableOption,
  reportingOptions,
} from "../options.ts";
import { requireNoWarnings, toJsonText, writeDiagnostics, writeLines } from "../output.ts";
import { readExportFile, requireFiles } from "./input-files.ts";

/** The flags of `preview` and `test`. */
interface MatchFlags extends CommonFlags {
  readonly me?: readonly string[];
}

const FILTERS_ARGUMENT = ["<filters>", "filters as JSON, or a mailFilters.xml"] as const;

const matchOptions = () => [
  repeatableOption("--me <address>", "one of your own addresses, for me. Repeatable."),
  jsonOption(),
  ...reportingOptions(),
];

const definePreview: DefineCommand = (command, io) => {
  command
    .description(
      "Show which filters would match a message, and the terms that decide. It is an estimate by the published rules of the Gmail search; cases that they do not cover are unknown. Nothing is sent, and no body is printed.",
    )
    .argument(...FILTERS_ARGUMENT)
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
    for (const name of files) messages.push(await readTestMessage(name, io));
    requireNoWarnings(io);
    const preview = previewFilters(filters, messages, unread);
    if (json) await io.writeOut(toJsonText(preview));
    else await writeLines(previewLines(preview), io);
  });
};

const defineTest: DefineCommand = (command, io) => {
  command
    .description(
      "Run tests of filters: messages, and what the filters must do with each. It prints a line for each test, and exits with 1 if a test fails.",
    )
    .argument(...FILTERS_ARGUMENT)
    .argument("<tests...>", "JSON files of tests (comments allowed)");
  addExamples(command, [
    "handtools example mail-filter > filters.json",
    `echo '{"tests": [{"name": "no bill", "message": {"from": "a@x.example"}, "expect": {}}]}' | tee tests.json`,
    "handtools mail-filter test filters.json tests.json",
  ]);
  addOptions(command, ...matchOptions());
  command.action(async (file: string, files: readonly string[], { me, json }: MatchFlags) => {
    await requireFiles(command, [file, ...files], io);
    const { filters, unread } = await readMatchers(file, me, io);
    requireNoWarnings(io);
    const results: { file: string; name: string; ok: boolean; problems: readonly string[] }[] = [];
    for (const path of files) {
      const tests = await readJsonFile(path, io);
      const parsedTests = await withLocations(fileInput(tests), () =>
        validate(filterTestsSchema, tests.value),
      );
      for (const [index, test] of parsedTests.tests.entries()) {
        const at = `tests[${index}]`;
        const location = { file: tests.source, ...findPosition(tests.text, ["tests", index]) };
        const message = await messageOf(test, { location, path: at }, path, io);
        const problems = runFilterTest(filters, test, message);
        results.push({ file: tests.source, name: test.name, ok: problems.length === 0, problems });
        if (problems.length > 0 && (io.reporting.flags.reporter ?? "text") !== "text") {
          const text = [test.name, ...problems].join("; ");
          await writeDiagnostics(io, [{ severity: "error", location, path: at, text }]);
        }
        if (json) continue;
        const lines = [
          `${problems.length === 0 ? "ok" : "not ok"} ${test.name}`,
          ...problems.map((problem) => `  ${problem}`),
        ];
        await writeLines(lines, io);
      }
    }
    const failed = results.filter(({ ok }) => !ok).length;
    if (json) await io.writeOut(toJsonText({ tests: results, failed, unread_filters: unread }));
    else await writeLines(unreadLines(unread), io);
    if (failed > 0) {
      const text = `${failed} of ${formatCount(results.length, "test")} failed`;
      throw new CliError([text], { severity: "info" });
    }
  });
};

export const commands = { preview: definePreview, test: defineTest };

/**
 * Reads the filters of an input or an export, for matching.
 *
 * @param me the account's addresses.
 * @throws {UsageError} for another file, or filters that Gmail cannot express.
 */
async function readMatchers(file: string, me: readonly string[] | undefined, io: Io) {
  const flags = {
    ...inputWithoutLocations({ me }),
    origin: (path: Path) => ({ path, flag: `--${path[0]}` }),
  };
  const options = await withLocations(flags, () => validate(MatchOptionsSchema, flags.value));
  const text = await readText(file, io);
  if (/^\s*[^\s<[{/]/.test(text) && !isZip(text)) {
    const expected = "must be filters as JSON, or the mailFilters.xml that Gmail exports";
    throw new UsageError([{ location: { file: sourceName(file) }, text: expected }]);
  }
  if (!isXml(text)) {
    const input = fileInput(await readJsonFile(file, io));
    const filters = await withLocations(input, () => createFilterMatchers(input.value, options));
    return { filters, unread: countUnread([]) };
  }
  const gmailExport = await readExportFile(file, io);
  const leftOut = gmailExport.warnings.filter(({ code }) => code === "left-out");
  await writeDiagnostics(io, await toDiagnostics(leftOut, gmailExport.input));
  if (gmailExport.filters.length === 0) {
    throw new UsageError([
      { location: { file: sourceName(file) }, text: "must contain a filter that can be read" },
    ]);
  }
  return {
    filters: createFilterMatchers({ filters: gmailExport.filters }, options),
    unread: countUnread(gmailExport.left_out),
  };
}

/** @throws {UsageError} for a test without a message, or with two. */
async function messageOf(
  { message, eml }: FilterTest,
  where: Omit<LocatedProblem, "text">,
  file: string,
  io: Io,
): Promise<MailMessage> {
  if ((message === undefined) === (eml === undefined)) {
    throw new UsageError([{ ...where, text: "must have either message or eml" }]);
  }
  if (eml === undefined) return message ?? {};
  return (await readTestMessage(resolve(dirname(file), eml), io)).message;
}

/**
 * Reads a message, and warns if it is only partly readable.
 *
 * @throws {UsageError} for a file that is not a single message.
 */
async function readTestMessage(path: string, io: Io): Promise<NamedMessage> {
  const { parseMessage } = await import("../../src/message-preview/parse-message.ts");
  const file = sourceName(path);
  const parsed = await parseMessage(await io.readFile(path, MAX_EML_BYTES));
  if (!parsed) {
    throw new UsageError([{ location: { file }, text: "must be a single message in .eml format" }]);
  }
  const { message, flaw } = parsed;
  if (flaw !== undefined) {
    await writeDiagnostics(io, [{ severity: "warning", location: { file }, text: flaw }]);
  }
  return { file, message };
}

/** Twice Gmail's limit, because of base64. */
const MAX_EML_BYTES = 2 * MAX_MESSAGE_MB * 1024 * 1024;
