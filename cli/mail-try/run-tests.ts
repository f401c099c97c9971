import { dirname, resolve } from "node:path";
import { type MailTest, mailTestsSchema } from "../../schemas/mail-tests.ts";
import type { MailMessage } from "../../src/mail-filter/match/mail.ts";
import { runMailTest } from "../../src/mail-filter/match/mail-test.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match.ts";
import { NotMailError, splitMailbox } from "../../src/mail-try/mailbox.ts";
import { readMail } from "../../src/mail-try/read-mail.ts";
import { plural, visibleLine } from "../../src/text.ts";
import { validate } from "../../src/validate.ts";
import { DifferenceFound, type Problem, UsageError } from "../errors.ts";
import { fileInput, namingPlaces, readJson } from "../input/input.ts";
import { findPosition } from "../input/jsonc.ts";
import type { Io } from "../io.ts";
import { toJsonText, writeMessages } from "../output.ts";

/**
 * Runs the test files and prints a line for each test, or all results as JSON.
 *
 * @throws {DifferenceFound} when one fails.
 */
export async function runTests(
  files: readonly string[],
  filters: readonly FilterMatcher[],
  io: Io,
  isJson: boolean,
): Promise<void> {
  const results: TestResult[] = [];
  for (const file of files) {
    const json = await readJson(file, io);
    const { tests } = await namingPlaces(fileInput(json), () =>
      validate(mailTestsSchema, json.value),
    );
    for (const [index, test] of tests.entries()) {
      const path = `tests[${index}]`;
      const place = { file: json.source, ...findPosition(json, path) };
      const message = await readMessage(test, { place, path }, file, io);
      const problems = runMailTest(filters, test, message);
      results.push({ file: json.source, name: test.name, ok: problems.length === 0, problems });
      if (problems.length > 0 && io.reporting.reporter !== "text") {
        const text = [test.name, ...problems].join("; ");
        await writeMessages(io, [{ severity: "error", place, path, text }]);
      }
      if (isJson) continue;
      const lines = [
        `${problems.length === 0 ? "ok" : "not ok"} ${test.name}`,
        ...problems.map((problem) => `  ${problem}`),
      ];
      await io.writeOut(lines.map((line) => `${visibleLine(line)}\n`).join(""));
    }
  }
  const failed = results.filter(({ ok }) => !ok).length;
  if (isJson) await io.writeOut(toJsonText({ tests: results, failed }));
  if (failed > 0) {
    throw new DifferenceFound([`${failed} of ${plural(results.length, "test")} failed`]);
  }
}

/** A test in the printed JSON. */
interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly ok: boolean;
  /** The problems, one line each. */
  readonly problems: readonly string[];
}

/** @throws {UsageError} for a test without a mail, or with two. */
async function readMessage(
  { message, eml }: MailTest,
  where: Omit<Problem, "text">,
  file: string,
  io: Io,
): Promise<MailMessage> {
  if ((message === undefined) === (eml === undefined)) {
    throw new UsageError([{ ...where, text: "must have either message or eml" }]);
  }
  if (eml === undefined) return message ?? {};
  const path = resolve(dirname(file), eml);
  try {
    for await (const raw of splitMailbox([await io.readFile(path)])) {
      return (await readMail(raw)).message;
    }
  } catch (error) {
    if (!(error instanceof NotMailError)) throw error;
    throw new UsageError([{ place: { file: path }, text: error.message }]);
  }
  throw new UsageError([`${path}: is empty`]);
}
