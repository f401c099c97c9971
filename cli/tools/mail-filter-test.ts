import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import type { MailTest } from "../../schemas/mail-tests.ts";
import type { MailMessage } from "../../src/mail-filter/match/mail.ts";
import { plural } from "../../src/text.ts";
import { CliError, type Problem, UsageError } from "../errors.ts";
import { fileInput, namingPlaces, readJsonFile } from "../input/input.ts";
import type { Io } from "../io.ts";
import { addExamples, addOptions } from "../options.ts";
import { requireNoWarnings, toJsonText, writeLines, writeMessages } from "../output.ts";
import {
  FILTERS,
  type MatchFlags,
  matchOptions,
  readMatchers,
  readMessage,
} from "./mail-filter-preview.ts";
import { requireFiles } from "./tool-flags.ts";

/** Defines `mail-filter test`: whether filters do with messages what tests expect. */
export function defineTest(command: Command, io: Io): void {
  command
    .summary("run tests of filters")
    .description(
      "Run tests of filters: messages, and what the filters must do with each. A line tells each result, and it exits with 1 if a test fails.",
    )
    .argument(...FILTERS)
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
    const [{ mailTestsSchema }, { validate }, { runMailTest }, { findPosition }, { unreadLines }] =
      await Promise.all([
        import("../../schemas/mail-tests.ts"),
        import("../../src/issues.ts"),
        import("../../src/mail-filter/match/mail-test.ts"),
        import("../input/jsonc.ts"),
        import("../../src/message-preview/preview-filters.ts"),
      ]);
    const results: { file: string; name: string; ok: boolean; problems: readonly string[] }[] = [];
    for (const path of files) {
      const tests = await readJsonFile(path, io);
      const read = await namingPlaces(fileInput(tests), () =>
        validate(mailTestsSchema, tests.value),
      );
      for (const [index, test] of read.tests.entries()) {
        const at = `tests[${index}]`;
        const place = { file: tests.source, ...findPosition(tests.text, at) };
        const message = await messageOf(test, { place, path: at }, path, io);
        const problems = runMailTest(filters, test, message);
        results.push({ file: tests.source, name: test.name, ok: problems.length === 0, problems });
        if (problems.length > 0 && (io.reporting.flags.reporter ?? "text") !== "text") {
          const text = [test.name, ...problems].join("; ");
          await writeMessages(io, [{ severity: "error", place, path: at, text }]);
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
      const text = `${failed} of ${plural(results.length, "test")} failed`;
      throw new CliError([text], { severity: "info" });
    }
  });
}

/** @throws {UsageError} for a test without a message, or with two. */
async function messageOf(
  { message, eml }: MailTest,
  where: Omit<Problem, "text">,
  file: string,
  io: Io,
): Promise<MailMessage> {
  if ((message === undefined) === (eml === undefined)) {
    throw new UsageError([{ ...where, text: "must have either message or eml" }]);
  }
  if (eml === undefined) return message ?? {};
  return (await readMessage(resolve(dirname(file), eml), io)).message;
}
