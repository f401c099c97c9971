import { CommanderError } from "commander";
import { isExplained } from "./failures.ts";
import type { Io } from "./io.ts";
import { type Message, writeMessages } from "./messages.ts";

/**
 * Tells the user why the command ended early.
 *
 * @param help the command that shows how it is used, for a wrong command line.
 * @returns the exit code: 1 when something outside or we failed, 2 for bad input or usage.
 */
export async function report(error: unknown, io: Io, help: string): Promise<number> {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // "commander.help": no command was given, and its help stands on standard error already.
    const problems = error.code === "commander.help" ? [] : [`${plain(error)}; see ${help}`];
    await writeMessages(io, problems.map(asError));
    return 2;
  }
  if (isExplained(error)) {
    await writeMessages(io, error.problems.map(asError));
    return error.exitCode;
  }
  await reportFault(error, io);
  return 1;
}

const asError = (text: string): Message => ({ severity: "error", text });

/** Commander's message without its own label, on one line. */
const plain = ({ message }: CommanderError): string =>
  message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");

async function reportFault(error: unknown, io: Io): Promise<void> {
  const debug = io.environment.DEBUG === "1";
  const advice = debug
    ? "please report it with these lines"
    : "DEBUG=1 in the environment shows where";
  await writeMessages(io, [asError(`this is a fault of handtools; ${advice}`)]);
  if (debug) await io.writeError(`${error instanceof Error ? error.stack : error}\n`);
}
