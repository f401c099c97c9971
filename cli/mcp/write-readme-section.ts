import { CliError } from "../cli-error.ts";
import { decodeExactly } from "../files/read-file.ts";
import type { CommonFlags, Io } from "../io.ts";
import { writeOutput } from "../output.ts";

/** The comments around the install section of a README. */
const START = "<!-- handtools:install -->";
const END = "<!-- /handtools:install -->";

/** A section, from its first marker to its last, each on a line of its own. */
const SECTION = new RegExp(`^${START}(\r?\n)[^]*?^${END}(?=\r?\n|$)`, "m");

/**
 * Prints an install section between its two markers, or puts it between those of a README, in which
 * nothing else changes.
 *
 * @throws {CliError} for a README without the markers.
 */
export async function writeReadmeSection(
  markdown: string,
  flags: CommonFlags,
  io: Io,
): Promise<void> {
  const { output = "-" } = flags;
  const section = `${START}\n\n${markdown}\n${END}`;
  if (output === "-") return writeOutput({ text: `${section}\n` }, {}, io);
  const readme = decodeExactly(output, await io.readFile(output));
  const [, lineEnd = ""] = SECTION.exec(readme) ?? [];
  if (lineEnd === "") {
    const text = `has no markers; put these two lines where the section belongs: ${START} and ${END}`;
    throw new CliError([{ location: { file: output }, text }]);
  }
  const text = readme.replace(SECTION, () => section.replaceAll("\n", lineEnd));
  await writeOutput({ text }, flags, io);
}
