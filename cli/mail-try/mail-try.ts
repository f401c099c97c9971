import { Option } from "commander";
import { validate } from "../../src/issues.ts";
import { readExport } from "../../src/mail-filter/export.ts";
import { validFilters } from "../../src/mail-filter/filter.ts";
import { type MatchOptions, MatchOptionsSchema } from "../../src/mail-filter/match/mail.ts";
import { because } from "../../src/mail-filter/match/mail-test.ts";
import { type FilterMatcher, filterMatchers } from "../../src/mail-filter/match/match.ts";
import { MailTrial, sortFilters, type TriedMail } from "../../src/mail-try/mail-trial.ts";
import { NotMailError, type RawMail, splitMailbox } from "../../src/mail-try/mailbox.ts";
import {
  brokenWords,
  conflictWords,
  countWords,
  lastWords,
  type MailTrialReport,
  type TriedFilter,
  triedWords,
} from "../../src/mail-try/report.ts";
import { isXml, plural } from "../../src/text.ts";
import { CliError, codeOf, type Problem, systemError, UsageError } from "../errors.ts";
import { readText, sourceName } from "../files/read.ts";
import {
  fileInput,
  namingPlaces,
  type PlacedInput,
  readJsonFile,
  unplacedInput,
  warningMessages,
} from "../input/input.ts";
import type { Io } from "../io.ts";
import {
  addExamples,
  addOptions,
  type Define,
  jsonOption,
  listOption,
  reportingOptions,
} from "../options.ts";
import {
  printsForPeople,
  requireNoWarnings,
  toJsonText,
  writeLines,
  writeMessages,
} from "../output.ts";
import { readBy, requireFiles } from "../tools/tool-flags.ts";
import { runTests } from "./run-tests.ts";

interface Flags {
  readonly me?: readonly string[];
  readonly includeSpam?: true;
  readonly includeTrash?: true;
  readonly explain?: string;
  readonly json?: true;
}

/** `handtools mail-try`: tries filters on the mails of a mailbox. */
const defineMailTry: Define = (command, io) => {
  command
    .argument("<rules>", "filters as JSON, or a mailFilters.xml")
    .argument(
      "<mail...>",
      "the mailbox of Google Takeout (.mbox, .gz, - for standard input), .eml files, or tests (.json)",
    )
    .description(
      "Show which of your mails the filters would match, before you import them. It is an estimate by the published rules of the Gmail search; anything they leave open counts as unknown. Nothing is sent, and no body is printed.",
    );
  addExamples(command, [
    "handtools example mail-filter | tee filters.json",
    "printf 'From: a@shop.example\\nSubject: Your receipt\\n\\nThanks' | tee one.eml",
    "handtools mail-try filters.json one.eml",
    "handtools mail-try filters.json - --json < one.eml",
  ]);
  addOptions(
    command,
    listOption("--me <address>", "one of your own addresses, for me; may be repeated"),
    new Option("--include-spam", "try mail in Spam too"),
    new Option("--include-trash", "try mail in Trash too"),
    new Option("--explain <message-id>", "show the terms that decide about one mail").conflicts(
      "json",
    ),
    jsonOption(),
    ...reportingOptions(),
  );
  command.action(async (rules: string, mails: readonly string[], options: Flags) => {
    await requireFiles(command, [rules, ...mails], io);
    const { me } = options;
    const input = {
      ...unplacedInput({ me }),
      origin: (path: string) => ({ path: `--${path.replace(/\[.*/, "")}` }),
    };
    const matching = await namingPlaces(input, () => validate(MatchOptionsSchema, input.value));
    const filters = await readRules(rules, matching, io);
    requireNoWarnings(io);
    const tests = mails.filter((path) => /\.jsonc?$/i.test(path));
    if (tests.length === 0) return tryMails(filters, mails, options, io);
    if (tests.length < mails.length) {
      throw new UsageError(["tests and mails are tried one at a time"]);
    }
    const { includeSpam, includeTrash, explain, json } = options;
    const others = { "--include-spam": includeSpam, "--include-trash": includeTrash };
    const [stray] = Object.entries({ ...others, "--explain": explain }).filter(
      ([, value]) => value !== undefined,
    );
    if (stray) throw new UsageError([`${stray[0]}: cannot be used with tests`]);
    return runTests(tests, filters, io, json === true);
  });
};

export const commands = { "mail-try": defineMailTry };

async function tryMails(
  filters: readonly FilterMatcher[],
  files: readonly string[],
  options: Flags,
  io: Io,
): Promise<void> {
  // A Message-ID without its angle brackets.
  const wanted = options.explain?.replace(/^<|>$/g, "");
  const found: TriedMail[] = [];
  const trial = new MailTrial(filters, options);
  const failure = await readMailboxes(files, io, async (raw) => {
    const tried = await trial.take(raw);
    if (tried.id === wanted && !tried.skipped) found.push(tried);
  });
  const report = trial.report();
  if (wanted === undefined) {
    if (options.json) await io.writeOut(toJsonText(report));
    else await writeLines(reportLines(report, filters), io);
  } else if (found.length === 0) {
    const text = `none of the tried mails has the Message-ID ${wanted}; ${LEFT_OUT}`;
    throw new CliError([...(failure?.problems ?? []), text]);
  } else {
    const texts = found.map((mail) => explanationLines(mail, filters));
    await writeLines(
      texts.flatMap((lines, index) => (index > 0 ? ["", ...lines] : lines)),
      io,
    );
  }
  if (failure) throw failure;
}

/**
 * Reads the mails of files, one after the other, with the progress on a terminal.
 *
 * @param use is called with each mail.
 * @returns the error for the files that could not be read, if there are any.
 * @throws {CliError} when none could be read.
 */
async function readMailboxes(
  files: readonly string[],
  io: Io,
  use: (mail: RawMail) => Promise<void>,
): Promise<CliError | undefined> {
  const problems: Problem[] = [];
  let isUsage = false;
  const progress = showProgress(io);
  let isAnyRead = false;
  for (const file of files) {
    try {
      for await (const mail of splitMailbox(await io.readStream(file))) {
        isAnyRead = true;
        await use(mail);
        await progress.tell();
      }
      isAnyRead = true;
    } catch (error) {
      // The other files are read all the same, and what was read counts.
      const name = sourceName(file);
      const isFolder = codeOf(error) === "EISDIR";
      const cause = isFolder ? new NotMailError(MAIL_FOLDER) : systemError(name, error);
      if (cause instanceof CliError) problems.push(...cause.problems);
      else if (cause instanceof NotMailError) {
        isUsage = true;
        problems.push({ place: { file: name }, text: cause.message });
      } else throw error;
    }
  }
  await progress.end();
  if (problems.length === 0) return undefined;
  if (!isAnyRead) throw isUsage ? new UsageError(problems) : new CliError(problems);
  return new CliError(problems, { exitCode: isUsage ? 2 : 1 });
}

const MAIL_FOLDER = "a folder, in which other programs keep mail";

/** Shows how many mails are read as one line on a terminal, twice a second at most. */
function showProgress(io: Io) {
  let mails = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    async tell(): Promise<void> {
      mails += 1;
      const now = performance.now();
      if (!io.errorIsTerminal || !printsForPeople(io) || now - shownAt < EVERY_MS) return;
      shownAt = now;
      await io.writeError(`${CLEAR}${plural(mails, "mail")}`);
    },
    async end(): Promise<void> {
      if (shownAt >= 0) await io.writeError(CLEAR);
    },
  };
}

const EVERY_MS = 500;
const CLEAR = "\r\u001b[K";

const LEFT_OUT =
  "chats and sent mail are left out, and without --include-spam and --include-trash so are Spam and Trash";

/**
 * The filters of an input or of a Gmail export, ready to be tried.
 *
 * @throws {UsageError} for a file of another kind, or filters that Gmail cannot express.
 */
async function readRules(
  file: string,
  options: MatchOptions,
  io: Io,
): Promise<readonly FilterMatcher[]> {
  const isExport = isXml(await readText(file, io));
  const rules = isExport
    ? await readExportRules(file, io)
    : fileInput(await readJsonFile(file, io));
  return namingPlaces(rules, () => filterMatchers(validFilters(rules.value), options));
}

/** The input that a Gmail export gives, with a warning for what it cannot express. */
async function readExportRules(file: string, io: Io): Promise<PlacedInput> {
  const { inputs, warnings } = await readBy(file, async (xml) => readExport(xml), io);
  const source = sourceName(file);
  const [value] = inputs;
  const input = fileInput({ source, value });
  const leftOut = warnings.filter(({ code }) => code === "left-out");
  await writeMessages(io, await warningMessages(leftOut, input));
  if (value !== undefined) return input;
  throw new UsageError([{ place: { file: source }, text: "has no filter to try" }]);
}

/** The report of a trial; filters that could lose mail come first. */
function reportLines(
  report: MailTrialReport,
  matchers: readonly FilterMatcher[],
): readonly string[] {
  const { deleting, forwarding, others, unmatched } = sortFilters(report, matchers);
  return [
    triedWords(report),
    ...section("Would be deleted", deleting.flatMap(filterLines), "nothing"),
    ...section("Would be forwarded", forwarding.flatMap(filterLines), "nothing"),
    ...section("The other filters", others.flatMap(filterLines)),
    ...section(
      "Matched none of these mails",
      unmatched.map(({ name, search }) => `${name}: ${search}`),
    ),
    ...section("Do opposite things with the same mail", report.clashes.map(conflictWords)),
    ...section("Mails that could be read only in part", report.broken.map(brokenWords)),
    "",
    "This is an estimate: --explain MESSAGE-ID shows the terms that decide about a mail.",
  ];
}

function section(heading: string, lines: readonly string[], empty?: string): readonly string[] {
  if (lines.length === 0) return empty === undefined ? [] : ["", `${heading}: ${empty}`];
  return ["", heading, ...lines.map((line) => `  ${line}`)];
}

const filterLines = (filter: TriedFilter): readonly string[] => [
  `${filter.name}: ${countWords(filter)}${lastWords(filter)}`,
  ...filter.subjects.map((subject) => `    ${subject}`),
];

/** The terms that decided about a mail, filter by filter. */
const explanationLines = (
  { id, message, matches }: TriedMail,
  filters: readonly FilterMatcher[],
): readonly string[] => [
  `${message.subject} <${id}>`,
  ...matches.map(
    (match, index) => `  ${match.matched.padEnd(7)} ${filters[index]?.title}: ${because(match)}`,
  ),
];
