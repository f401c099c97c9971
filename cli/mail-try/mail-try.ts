import { Option } from "commander";
import { InvalidInputError } from "../../src/issues.ts";
import { readExport } from "../../src/mail-filter/export.ts";
import { validFilters } from "../../src/mail-filter/filter.ts";
import { type MatchOptions, MatchOptionsSchema } from "../../src/mail-filter/match/mail.ts";
import { because } from "../../src/mail-filter/match/mail-test.ts";
import { type FilterMatcher, filterMatchers } from "../../src/mail-filter/match/match.ts";
import { MailTrial, sortFilters, type TriedMail } from "../../src/mail-try/mail-trial.ts";
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
import { isXml, plural } from "../../src/text.ts";
import { validate } from "../../src/validate.ts";
import { CliError, INTERRUPTED, UsageError } from "../errors.ts";
import { readText, requireReadable, sourceName } from "../files/read.ts";
import { fileInput, type Input, namingPlaces, parseJson, warningMessages } from "../input/input.ts";
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
import { requireNoWarnings, toJsonText, writeLines, writeMessages } from "../output.ts";
import { readBy } from "../tools/tool-flags.ts";
import { readMailboxes } from "./read-mailboxes.ts";
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
    new Option("--include-trash", "try mail in the bin too"),
    valueOption("--explain <message-id>", "show the terms that decide about one mail"),
    jsonOption(),
    ...reportingOptions(),
  );
  command.action(async (rules: string, mails: readonly string[], options: Flags) => {
    requireReadable([rules, ...mails]);
    const filters = await readRules(rules, readOptions(options), io);
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

/** @throws {UsageError} for a text that is not an address. */
function readOptions({ me }: Flags): MatchOptions {
  try {
    return validate(MatchOptionsSchema, { me });
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) => `--${path.replace(/\[.*/, "")}: ${message}`),
    );
  }
}

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
  const { problems, exitCode, isStopped } = await readMailboxes(files, io, async (raw, place) => {
    const tried = await trial.take(raw, place);
    if (tried.id === wanted) found.push(tried);
  });
  const report = trial.report();
  const explained = found.filter(({ skipped }) => !skipped);
  if (wanted === undefined) {
    if (options.json) await io.writeOut(toJsonText(report));
    else await writeLines(reportLines(report, filters), io);
  } else if (explained.length === 0) problems.push({ text: missingWords(wanted, found) });
  else if (options.json) {
    await io.writeOut(toJsonText({ mails: explained.map((mail) => toJson(mail, filters)) }));
  } else {
    const texts = explained.map((mail) => explanationLines(mail, filters));
    await writeLines(
      texts.flatMap((lines, index) => (index > 0 ? ["", ...lines] : lines)),
      io,
    );
  }
  if (isStopped) {
    const text = `stopped after ${plural(report.mails, "mail")}`;
    throw new CliError([...problems, text], { exitCode: INTERRUPTED, severity: "info" });
  }
  if (problems.length > 0) throw new CliError(problems, { exitCode });
}

/** Why there is nothing to explain. */
function missingWords(id: string, leftOut: readonly TriedMail[]): string {
  const reasons = new Set(leftOut.flatMap(({ skipped }) => (skipped ? LEFT_OUT[skipped] : [])));
  if (reasons.size === 0) return `none of these mails has the Message-ID ${id}`;
  return `the mail with the Message-ID ${id} is left out: ${[...reasons].join(", ")}`;
}

const LEFT_OUT = {
  chats: "it is a chat",
  sent: "you sent it, and filters do not run on sent mail",
  spam: "it is in Spam (--include-spam takes it in)",
  trash: "it is in the bin (--include-trash takes it in)",
} as const satisfies Record<SkipReason, string>;

const toJson = (
  { id, message: { subject, date }, matches }: TriedMail,
  filters: readonly FilterMatcher[],
) => ({
  id,
  subject,
  date,
  filters: matches.map((match, index) => ({
    name: filters[index]?.name,
    search: filters[index]?.search,
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
    ? await readExportRules(file, io)
    : fileInput(await parseJson(source, text));
  return namingPlaces(rules, () => filterMatchers(validFilters(rules.value), options));
}

/** The input that a Gmail export gives, with a warning for what it cannot express. */
async function readExportRules(file: string, io: Io): Promise<Input> {
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
