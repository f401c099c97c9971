import { Option } from "commander";
import { InvalidInputError } from "../../src/issues.ts";
import { validFilters } from "../../src/mail-filter/filter.ts";
import { readExport } from "../../src/mail-filter/mail-filter-export.ts";
import { type MatchOptions, MatchOptionsSchema } from "../../src/mail-filter/match/mail.ts";
import { because } from "../../src/mail-filter/match/mail-test.ts";
import { type FilterMatcher, filterMatchers } from "../../src/mail-filter/match/match.ts";
import {
  MailTrial,
  type MailTrialOptions,
  sortFilters,
  type TriedMail,
} from "../../src/mail-try/mail-trial.ts";
import {
  brokenWords,
  conflictWords,
  countWords,
  lastWords,
  type MailTrialReport,
  type SkipReason,
  type TriedFilter,
  triedWords,
} from "../../src/mail-try/report.ts";
import { plural, visibleLine } from "../../src/text.ts";
import { validate } from "../../src/validate.ts";
import { InterruptedError, UsageError } from "../errors.ts";
import { readText, requireReadable, sourceName } from "../files/read.ts";
import {
  fileInput,
  type Input,
  isXml,
  namingPlaces,
  parseInput,
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
  valueOption,
} from "../options.ts";
import { requireNoWarnings, toJsonText, writeMessages } from "../output.ts";
import { readMailboxes } from "./read-mailboxes.ts";
import { runTests } from "./run-tests.ts";

interface Flags {
  readonly me?: readonly string[];
  readonly now?: string;
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
    valueOption("--now <date>", "the time for older_than: and newer_than:, as 2026-11-22"),
    new Option("--include-spam", "try mail in Spam too"),
    new Option("--include-trash", "try mail in the bin too"),
    valueOption("--explain <message-id>", "show the terms that decide about one mail"),
    jsonOption(),
    ...reportingOptions(),
  );
  command.action(async (rules: string, mails: readonly string[], options: Flags) => {
    const { me, now, includeSpam = false, includeTrash = false, explain } = options;
    const isJson = options.json === true;
    requireReadable([rules, ...mails].map((file) => ({ label: "FILE", file })));
    const filters = await readRules(rules, readOptions(me, now), io);
    requireNoWarnings(io);
    const tests = mails.filter((path) => /\.jsonc?$/i.test(path));
    if (tests.length === 0) {
      const settings = { includeSpam, includeTrash };
      const id = explain?.replace(/^<|>$/g, "");
      return tryMails(filters, mails, settings, io, { explain: id, isJson });
    }
    if (tests.length < mails.length) {
      throw new UsageError(["tests and mails are tried one at a time"]);
    }
    const stray = Object.entries({
      "--include-spam": includeSpam,
      "--include-trash": includeTrash,
      "--explain": explain !== undefined,
    }).find(([, isGiven]) => isGiven);
    if (stray) throw new UsageError([`${stray[0]}: cannot be used with tests`]);
    return runTests(tests, filters, io, isJson);
  });
};

export const commands = { "mail-try": defineMailTry };

/** @throws {UsageError} for a text that is not an address, or not a date. */
function readOptions(me: readonly string[] | undefined, now: string | undefined): MatchOptions {
  try {
    return validate(MatchOptionsSchema, { me, now });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) => `--${path.replace(/\[.*/, "")}: ${message}`),
    );
  }
}

interface Wanted {
  /** A Message-ID without its angle brackets. */
  readonly explain: string | undefined;
  readonly isJson: boolean;
}

async function tryMails(
  filters: readonly FilterMatcher[],
  files: readonly string[],
  settings: MailTrialOptions,
  io: Io,
  { explain, isJson }: Wanted,
): Promise<void> {
  const trial = new MailTrial(filters, settings);
  const explained: TriedMail[] = [];
  const leftOut = new Set<SkipReason>();
  const { problems, Failure, isStopped } = await readMailboxes(files, io, async (raw, place) => {
    const tried = await trial.take(raw, place);
    if (explain === undefined || tried.id !== explain) return;
    if (tried.skipped) leftOut.add(tried.skipped);
    else explained.push(tried);
  });
  const report = trial.report();
  if (explain !== undefined) {
    if (explained.length === 0) problems.push({ text: missingWords(explain, leftOut) });
    else if (isJson) await io.writeOut(toJsonText({ mails: explained.map(asJson(trial)) }));
    else
      await io.writeOut(explained.map((mail) => explanationText(mail, trial.filters)).join("\n"));
  } else {
    await io.writeOut(isJson ? toJsonText(report) : reportText(report, trial.filters));
  }
  // The result is printed already.
  io.reporting.printsErrors = false;
  if (isStopped) {
    throw new InterruptedError([...problems, `stopped after ${plural(report.mails, "mail")}`]);
  }
  if (problems.length > 0) throw new Failure(problems);
}

/** Why there is nothing to explain. */
function missingWords(id: string, leftOut: ReadonlySet<SkipReason>): string {
  if (leftOut.size === 0) return `none of these mails has the Message-ID ${id}`;
  return `the mail with the Message-ID ${id} is left out: ${[...leftOut].map((why) => LEFT_OUT[why]).join(", ")}`;
}

const LEFT_OUT = {
  chats: "it is a chat",
  sent: "you sent it, and filters do not run on sent mail",
  spam: "it is in Spam (--include-spam takes it in)",
  trash: "it is in the bin (--include-trash takes it in)",
} as const satisfies Record<SkipReason, string>;

const asJson =
  (trial: MailTrial) =>
  ({ id, message: { subject, date }, matches }: TriedMail) => ({
    id,
    subject,
    date,
    filters: matches.map((match, index) => ({
      name: trial.filters[index]?.name,
      search: trial.filters[index]?.search,
      ...match,
    })),
  });

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
  const source = sourceName(file);
  const text = await readText(file, io);
  const rules = isXml(text)
    ? await readExportInput({ source, value: text }, io)
    : fileInput(await parseInput(source, text));
  return namingPlaces(rules, () => filterMatchers(validFilters(rules.value), options));
}

/** The input that a Gmail export gives, with a warning for what it cannot express. */
async function readExportInput(
  file: { readonly source: string; readonly value: string },
  io: Io,
): Promise<Input> {
  const input = fileInput(file);
  const exported = await namingPlaces(input, () => readExport(file.value));
  const leftOut = exported.warnings.filter(({ code }) => code === "left-out");
  await writeMessages(io, await warningMessages(leftOut, input));
  const [value] = exported.inputs;
  if (value !== undefined) return { ...input, value };
  throw new UsageError([{ place: { file: file.source }, text: "has no filter to try" }]);
}

/** The report of a trial; filters that could lose mail come first. */
function reportText(report: MailTrialReport, matchers: readonly FilterMatcher[]): string {
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
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");
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
const explanationText = (
  { id, message, matches }: TriedMail,
  filters: readonly FilterMatcher[],
): string =>
  [
    `${message.subject} <${id}>`,
    ...matches.map(
      (match, index) => `  ${match.matched.padEnd(7)} ${filters[index]?.title}: ${because(match)}`,
    ),
  ]
    .map((line) => `${visibleLine(line)}\n`)
    .join("");
