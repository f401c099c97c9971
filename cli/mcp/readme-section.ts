import { CliError } from "../errors.ts";
import { readText } from "../files/read.ts";
import type { CommonFlags, Io } from "../io.ts";
import { deliver, outOfDateError, requireNoWarnings } from "../output.ts";

/** The comments around the install section of a README. */
const OPEN = "<!-- handtools:install -->";
const CLOSE = "<!-- /handtools:install -->";

/**
 * Prints an install section between its two markers, or checks the README that has it.
 *
 * @throws {CliError} for a README in which it does not stand line for line.
 */
export async function deliverSection(
  markdown: string,
  { check }: CommonFlags,
  io: Io,
): Promise<void> {
  const text = `${OPEN}\n\n${markdown}\n${CLOSE}\n`;
  if (check === undefined) return deliver({ text }, {}, io);
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
