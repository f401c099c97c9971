import type { Command } from "commander";
import type { Contract } from "../../schemas/index.ts";
import type { GivenSource, Tool } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Message } from "../messages/message.ts";
import { allValues, isGiven, namedValues, onlyChoice } from "../options.ts";
import type { SourceFlags } from "../tool-options.ts";
import { type Input, namingPlaces, warningMessages } from "./input.ts";

/** @throws {UsageError} for an unknown choice, and for a name given twice. */
export function givenSource(
  command: Command,
  { source }: Contract,
  flags: SourceFlags | undefined,
  io: Io,
): GivenSource {
  if (!source || !flags) return {};
  const { choice, values } = flags;
  const given = allValues(command, values);
  return {
    choice: onlyChoice(command, choice, source.choice.values),
    ...(given && { values: namedValues(given, String(values.long), io) }),
  };
}

/** An input, the code that runs it, and the warnings about the file that it was made of. */
interface CompletedInput<C extends Contract> {
  readonly input: Input;
  readonly run: Tool<C>["run"];
  readonly messages: readonly Message[];
}

/**
 * Turns an input that is a file of another format, such as the contract's `source`, into one of the
 * tool's own.
 *
 * @throws {UsageError} for such a file that gives no input, and for its flags beside another file.
 */
export async function completeInput<C extends Contract>(
  { contract, run, readSource }: Tool<C>,
  input: Input,
  command: Command,
  flags: SourceFlags | undefined,
  io: Io,
): Promise<CompletedInput<C>> {
  const { overrides } = input;
  const given = { ...givenSource(command, contract, flags, io), fields: overrides?.fields ?? {} };
  const source = await readSourceOf(input, readSource, given);
  if (source) {
    const completed = { ...input, value: source.input };
    const messages = await warningMessages(source.warnings, input);
    return { input: completed, run: source.run, messages };
  }
  if (overrides) throw overrides.error;
  requireNoSourceFlags(command, contract, flags);
  return { input, run, messages: [] };
}

/**
 * Reads an input that is a file of another format than the tool's own; undefined for one that is not.
 *
 * @throws {UsageError} for such a file that gives no input, and for one that no format can read.
 */
export async function readSourceOf<Read>(
  input: Input,
  readSource: ((value: unknown, given: GivenSource, text?: string) => Promise<Read>) | undefined,
  given: GivenSource,
): Promise<Read | undefined> {
  const { value, file } = input;
  const source = await namingPlaces(input, undefined, () => readSource?.(value, given, file?.text));
  if (!source && file?.error) throw file.error;
  return source;
}

/** @throws {UsageError} for a flag that only a file of the contract's `source` takes. */
export function requireNoSourceFlags(
  command: Command,
  { source }: Contract,
  flags: SourceFlags | undefined,
): void {
  for (const option of flags ? [flags.choice, flags.values] : []) {
    if (isGiven(command, option)) {
      throw new UsageError([`${option.long}: needs ${source?.file}`]);
    }
  }
}
