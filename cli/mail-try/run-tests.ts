import { dirname, resolve } from "node:path";
import { type MailTest, mailTestsSchema } from "../../schemas/mail-tests.ts";
import { validate } from "../../src/issues.ts";
import type { MailMessage } from "../../src/mail-filter/match/mail.ts";
import { runMailTest } from "../../src/mail-filter/match/mail-test.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match.ts";
import { NotMailError, splitMailbox } from "../../src/mail-try/mailbox.ts";
import { readMail } from "../../src/mail-try/read-mail.ts";
import { plural } from "../../src/text.ts";
import { CliError, type Problem, UsageError } from "../errors.ts";
import { fileInput, namingPlaces, readJsonFile } from "../input/input.ts";
import { findPosition } from "../input/jsonc.ts";
import type { Io } from "../io.ts";
import { toJsonText, writeLines, writeMessages } from "../output.ts";

/**
 * Runs the test files and prints a line for each test, or all results as JSON.
 *
 * @throws {CliError} when one fails.
 */
export async function runTests(
  files: readonly string[],
  filters: readonly FilterMatcher[],
  io: Io,
  isJson: boolean,
): Promise<void> {
  const results: { file: string; name: string; ok: boolean; problems: readonly string[] }[] = [];
  for (const file of files) {
    const json = await readJsonFile(file, io);
    const { tests } = await namingPlaces(fileInput(json), () =>
      validate(mailTestsSchema, json.value),
    );
    for (const [index, test] of tests.entries()) {
      const path = `tests[${index}]`;
      const place = { file: json.source, ...findPosition(json.text, path) };
      const message = await readMessage(test, { place, path }, file, io);
      const problems = runMailTest(filters, test, message);
      results.push({ file: json.source, name: test.name, ok: problems.length === 0, problems });
      if (problems.length > 0 && (io.reporting.flags.reporter ?? "text") !== "text") {
        const text = [test.name, ...problems].join("; ");
        await writeMessages(io, [{ severity: "error", place, path, text }]);
      }
      if (isJson) continue;
      const lines = [
        `${problems.length === 0 ? "ok" : "not ok"} ${test.name}`,
        ...problems.map((problem) => `  ${problem}`),
      ];
      await writeLines(lines, io);
    }
  }
  const failed = results.filter(({ ok }) => !ok).length;
  if (isJson) await io.writeOut(toJsonText({ tests: results, failed }));
  if (failed > 0) {
    const text = `${failed} of ${plural(results.length, "test")} failed`;
    throw new CliError([text], { severity: "info" });
  }
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
