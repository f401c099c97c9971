import type { Command, Option } from "commander";
import type { Contract, FileOption } from "../../schemas/index.ts";
import { InvalidInputError } from "../../src/issues.ts";
import type { ExistingProduct, Tool } from "../../src/tool.ts";
import { UsageError } from "../errors.ts";
import type { Io } from "../io.ts";
import { flagName, onlyValue, valueOption } from "../options.ts";
import { messageLine, toJsonText, writeMessages } from "../output.ts";
import { type NamedFile, readText, sourceName } from "./files.ts";

/** The flag of an option that takes an existing product. */
export interface ProductFlag {
  readonly does: FileOption["does"];
  readonly option: Option;
}

export const productFlags = ({ text }: Contract): readonly ProductFlag[] =>
  Object.entries(text.files ?? {}).map(([name, { does, description }]) => ({
    does,
    option: valueOption(`${flagName(name)} <file>`, description),
  }));

/** Forbids what makes no sense beside each of the flags. */
export function declareConflicts(
  flags: readonly ProductFlag[],
  others: { readonly input: readonly Option[]; readonly output: readonly Option[] },
): void {
  for (const { does, option } of flags) {
    const conflicting = {
      read: [...others.input, ...others.output.filter(({ long }) => long === "--json")],
      subtract: [],
      compare: others.output,
    }[does];
    const siblings = flags.map((flag) => flag.option).filter((sibling) => sibling !== option);
    option.conflicts([...conflicting, ...siblings].map((other) => other.attributeName()));
  }
}

/** The existing product that the user names. */
export interface ProductFile extends NamedFile {
  readonly does: FileOption["does"];
}

export function productFile(
  command: Command,
  flags: readonly ProductFlag[],
): ProductFile | undefined {
  for (const { does, option } of flags) {
    const file = onlyValue(command, option);
    if (file !== undefined) return { does, name: String(option.long), file };
  }
  return undefined;
}

/**
 * Opens an existing product.
 *
 * @throws {UsageError} for a file that is none.
 */
export async function openProduct(
  tool: Tool,
  { file, name }: ProductFile,
  io: Io,
): Promise<ExistingProduct> {
  if (!tool.readProduct) throw new TypeError(`${tool.contract.name} has no code for ${name}`);
  const text = await readText(file, io);
  try {
    return await tool.readProduct(text);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    throw new UsageError(
      error.issues.map(({ path, message }) => messageLine(sourceName(file), path, message)),
    );
  }
}

/**
 * The inputs that give the product again, as JSON: one alone, several as a list.
 *
 * @throws {UsageError} for a file that is no product, or gives no input.
 */
export async function inputsText(tool: Tool, file: ProductFile, io: Io): Promise<string> {
  const { inputs, warnings } = await openProduct(tool, file, io);
  await writeMessages(
    io,
    warnings.map(({ code, severity, path, message }) => ({
      severity,
      text: messageLine(sourceName(file.file), path, message),
      code,
    })),
  );
  if (inputs.length === 0) {
    throw new UsageError([`${sourceName(file.file)}: has nothing that an input could say`]);
  }
  return toJsonText(inputs.length === 1 ? inputs[0] : inputs);
}
