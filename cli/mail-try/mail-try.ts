import { Option } from "commander";
import { InvalidInputError } from "../../src/issues.ts";
import { type MatchOptions, MatchOptionsSchema } from "../../src/mail-filter/match/mail-message.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match-mail-filters.ts";
import { MailTrial, type MailTrialOptions, type TriedMail } from "../../src/mail-try/mail-trial.ts";
import type { SkipReason } from "../../src/mail-try/report.ts";
import { plural } from "../../src/text.ts";
import { validate } from "../../src/validate.ts";
import { InterruptedError, UsageError } from "../errors.ts";
import { requireReadable } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { requireNoWarnings } from "../messages.ts";
import {
  addExamples,
  addOptions,
  type Define,
  jsonOption,
  listOption,
  reportingOptions,
  valueOption,
} from "../options.ts";
import { toJsonText } from "../output.ts";
import { readMailboxes } from "./read-mailboxes.ts";
import { readRules } from "./read-rules.ts";
import { explanationText, reportText } from "./report.ts";
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
