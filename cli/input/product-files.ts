import type { Command, Option } from "commander";
import type { Contract, FileOption } from "../../schemas/index.ts";
import { InvalidInputError } from "../../src/issues.ts";
import { posixQuote } from "../../src/text.ts";
import type { ExistingProduct, Tool } from "../../src/tool.ts";
import { CliError, UsageError } from "../errors.ts";
import { sourceName } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { flagName, onlyValue, valueOption } from "../options.ts";
import { messageLine, toJsonText, writeMessages } from "../output.ts";
import { type NamedFile, readText } from "./files.ts";

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
  others: {
    readonly input: readonly Option[];
    /** What says how a result is shown, of which `read` has none. */
    readonly rendering: readonly Option[];
    readonly destination: readonly Option[];
  },
): void {
  for (const { does, option } of flags) {
    const conflicting = {
      read: [...others.input, ...others.rendering],
      subtract: [],
      compare: [...others.rendering, ...others.destination],
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
 * Reads and runs input files. When they are refused and one of them is a product, such as a
 * program's own file in place of an input, the error names the flag that reads it.
 *
 * @param next what to do with the input that the flag prints, if not to keep it.
 */
export async function namingReadFlag<Value>(
  tool: Tool,
  files: readonly string[],
  io: Io,
  work: () => Promise<Value>,
  next = "",
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const { command, text } = tool.contract;
    const [flag] = Object.entries(text.files ?? {}).find(([, { does }]) => does === "read") ?? [];
    if (!(error instanceof UsageError) || flag === undefined) throw error;
    const products: string[] = [];
    for (const file of files) if (await isProduct(tool, file, io)) products.push(file);
    if (products.length === 0) throw error;
    throw new UsageError(
      products.map((file) => {
        const words = `handtools ${command} ${flagName(flag)} ${posixQuote(file)}${next}`;
        return `${sourceName(file)}: is no input; ${flagName(flag)} makes one of it: ${words}`;
      }),
    );
  }
}

/** Whether a file is a product that gives inputs; one with an input's fields is a faulty input. */
async function isProduct({ contract, readProduct }: Tool, file: string, io: Io): Promise<boolean> {
  const [{ parse }, { fieldsOf }] = await Promise.all([
    import("jsonc-parser"),
    import("../../src/fields.ts"),
  ]);
  try {
    const text = await readText(file, io);
    const keys = Object.keys(parse(text) ?? {});
    const isInput = fieldsOf(contract.input).some(({ name }) => keys.includes(name));
    const product = isInput ? undefined : await readProduct?.(text);
    return product !== undefined && product.inputs.length > 0;
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof CliError) return false;
    // Parsers are recursive, and no product is nested that deeply.
    if (error instanceof RangeError) return false;
    throw error;
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
  const [only, ...others] = inputs;
  if (others.length === 0) return toJsonText(only);
  const text = `gives ${inputs.length} inputs, which are printed as a list; a command takes one`;
  await writeMessages(io, [{ severity: "info", text: messageLine(sourceName(file.file), text) }]);
  return toJsonText(inputs);
}
