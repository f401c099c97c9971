import { CliError, UsageError } from "../errors.ts";
import { readText } from "../files/read.ts";
import type { CommonFlags, Io } from "../io.ts";
import { deliver, outOfDateError, requireNoWarnings } from "../output.ts";

/** The comments around the install section of a README. */
const OPEN = "<!-- handtools:install -->";
const CLOSE = "<!-- /handtools:install -->";

/**
 * Prints or writes an install section between its two markers, or checks the README that has it.
 *
 * @throws {CliError} for a README in which it does not stand line for line.
 * @throws {UsageError} for a file to write that holds anything but such a section.
 */
export async function deliverSection(
  markdown: string,
  options: CommonFlags,
  io: Io,
): Promise<void> {
  const text = `${OPEN}\n\n${markdown}\n${CLOSE}\n`;
  const { check, output = "" } = options;
  const approve = (existing: string) => requireSection(output, existing);
  if (check === undefined) return deliver({ text, approve }, options, io);
  requireNoWarnings(io);
  const readme = (await readText(check, io)).replaceAll("\r\n", "\n");
  if (`\n${readme}\n`.includes(`\n${text}`)) return;
  const place = { file: check };
  if (!SECTION.test(readme)) {
    throw new CliError([{ place, text: `has no install section; ${ADVICE}` }]);
  }
  throw await outOfDateError(
    check,
    readme,
    readme.replace(SECTION, () => text),
    ADVICE,
    io,
  );
}

const ADVICE = "put what this prints without --check there";

/** A section, from its first marker to its last, each on a line of its own. */
const SECTION = new RegExp(`^${OPEN}\n[^]*?^${CLOSE}(?:\n|$)`, "m");

/** @throws {UsageError} for a file that holds anything but a section. */
async function requireSection(path: string, existing: string): Promise<void> {
  const rest = existing.replaceAll("\r\n", "\n").replace(SECTION, "");
  if (rest.trim() === "") return;
  throw new UsageError([
    `${path}: holds something else, which would be lost; put the section into it by hand`,
  ]);
}
