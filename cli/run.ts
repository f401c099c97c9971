import type { Catalog } from "../src/loaders.ts";
import type { Io } from "./io.ts";
import { createProgram } from "./program.ts";
import { report } from "./report.ts";

/**
 * Runs one command line.
 *
 * @param argv the arguments after the program's name.
 * @returns the exit code: 0 done, 1 something outside failed, 2 bad input or usage.
 */
export async function run(argv: readonly string[], io: Io, catalog: Catalog): Promise<number> {
  // Commander prints without waiting, so what it prints is kept and written here.
  const help = { out: "", error: "" };
  const program = await createProgram(argv, io, catalog, {
    writeOut: (text) => {
      help.out += text;
    },
    writeErr: (text) => {
      help.error += text;
    },
    outputError: () => {},
  });
  try {
    await program.parseAsync(argv, { from: "user" }).finally(async () => {
      if (help.out !== "") await io.writeOut(help.out);
      if (help.error !== "") await io.writeError(help.error);
    });
    return 0;
  } catch (error) {
    const command = program.commands.find((known) => known.name() === argv[0]);
    return report(error, io, `handtools ${command ? `${command.name()} ` : ""}--help`);
  }
}
