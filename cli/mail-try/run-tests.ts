import { dirname, resolve } from "node:path";
import { type MailTest, mailTestsSchema } from "../../schemas/mail-tests.ts";
import type { MimeParser } from "../../src/mail-filter/mailbox/mime-parser.ts";
import { readBody, readHeader } from "../../src/mail-filter/mailbox/read-mail.ts";
import { splitMailbox } from "../../src/mail-filter/mailbox/split-mailbox.ts";
import type { MailMessage } from "../../src/mail-filter/match/mail-message.ts";
import { runMailTest } from "../../src/mail-filter/match/mail-test.ts";
import type { FilterMatcher } from "../../src/mail-filter/match/match-mail-filters.ts";
import { plural, visibleLine } from "../../src/text.ts";
import { validate } from "../../src/validate.ts";
import { DifferenceFound, type Problem, UsageError } from "../errors.ts";
import { readJson } from "../input/input.ts";
import { positionIn } from "../input/positions.ts";
import type { Io } from "../io.ts";
import { writeMessages } from "../messages/message.ts";
import { namingPlaces } from "./read-rules.ts";

/**
 * Runs the test files and prints a line for each test.
 *
 * @throws {DifferenceFound} when one fails.
 */
export async function runTests(
  files: readonly string[],
  filters: readonly FilterMatcher[],
  io: Io,
  mime: MimeParser,
): Promise<void> {
  let failed = 0;
  let count = 0;
  for (const file of files) {
    const json = await readJson(file, io);
    const { tests } = namingPlaces(json, () => validate(mailTestsSchema, json.value));
    for (const [index, test] of tests.entries()) {
      const path = `tests[${index}]`;
      const place = { file: json.source, ...positionIn(json, path) };
      const message = await messageOf(test, { place, path }, file, io, mime);
      const problems = runMailTest(filters, test, message);
      count += 1;
      if (problems.length > 0) failed += 1;
      if (problems.length > 0 && io.reporting.reporter !== "text") {
        const text = [test.name, ...problems].join("; ");
        await writeMessages(io, [{ severity: "error", place, path, text }]);
      }
      const lines = [
        `${problems.length === 0 ? "ok" : "not ok"} ${test.name}`,
        ...problems.map((problem) => `  ${problem}`),
      ];
      await io.writeOut(lines.map((line) => `${visibleLine(line)}\n`).join(""));
    }
  }
  if (failed > 0) throw new DifferenceFound([`${failed} of ${plural(count, "test")} failed`]);
}

/** @throws {UsageError} for a test without a mail, or with two. */
async function messageOf(
  { message, eml }: MailTest,
  place: Omit<Problem, "text">,
  file: string,
  io: Io,
  mime: MimeParser,
): Promise<MailMessage> {
  if ((message === undefined) === (eml === undefined)) {
    throw new UsageError([{ ...place, text: "must have either message or eml" }]);
  }
  if (eml === undefined) return message ?? {};
  const path = resolve(dirname(file), eml);
  for await (const raw of splitMailbox([await io.readFile(path)])) {
    return readBody(readHeader(raw, mime), raw, mime);
  }
  throw new UsageError([`${path}: is empty`]);
}
