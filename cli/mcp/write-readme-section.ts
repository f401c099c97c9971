import { CliError } from "../cli-error.ts";
import { decodeExactly } from "../files/read-file.ts";
import type { CommonFlags, Io } from "../io.ts";
import { writeOutput } from "../output.ts";

const START = "<!-- handtools:install -->";
const END = "<!-- /handtools:install -->";

/** A section from its first to its last marker, each on its own line. */
const SECTION = new RegExp(`^${START}(\r?\n)[^]*?^${END}(?=\r?\n|$)`, "m");

/**
 * Prints an install section with its markers, or replaces the section in a README. Nothing else in
 * the README changes.
 *
 * @throws {CliError} if the README has no markers.
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
