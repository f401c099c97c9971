import * as v from "valibot";
import type {
  Contract,
  ResultOf,
  SettingOf,
  TextOptionsOf,
  ValidInputOf,
  Warning,
} from "../schemas/index.ts";
import { InvalidInputError, type Issue, issueAt, type ToolResult } from "./issues.ts";
import { validate } from "./validate.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** @throws {InvalidInputError} for a valid input for which no correct output exists. */
  run(input: ValidInputOf<C>, options?: RunOptions<C>): ResultOf<C>;
  /** The result as text that ends with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
  /**
   * Finds more issues in an input that breaks the schema, in its valid parts.
   *
   * @param known the issues of the schema.
   */
  furtherIssues?(input: unknown, known: readonly Issue[]): readonly Issue[];
  /**
   * Reads an existing file of the tool's format, for the contract's `text.files`.
   *
   * @param part the number of the part to read, from 1, of a text that may hold several.
   * @throws {InvalidInputError} for a text of another format; paths are places in the text.
   */
  readProduct?(
    text: string,
    part?: number,
    numbers?: GivenNumbers,
    given?: GivenSource,
  ): Promise<ExistingProduct<C>>;
  /**
   * Loads the function for the contract's `text.merge`: it makes fewer items of an input's list that
   * do the same together. It throws an InvalidInputError with every issue of the input.
   */
  merge?(): Promise<(input: unknown) => Merged>;
  /**
   * Makes an input of a file of the contract's `source`, or of another format that the tool takes in
   * place of its input; undefined for another file.
   *
   * @param value the parsed file; undefined when it is not JSON.
   * @throws {InvalidInputError} for one that gives no input.
   */
  readSource?(value: unknown, given: GivenSource, text?: string): Promise<Source<C> | undefined>;
}

/** An input or an existing product with fewer items that do the same together. */
export interface Merged {
  /** Of an existing product only the items that are new. */
  readonly input: unknown;
  /** The whole outcome, for programs. */
  readonly result: object;
  /** The merged filters and the steps to take, one a line. */
  readonly report: readonly string[];
  readonly isEmpty: boolean;
}

/** The options that complete a file of the contract's `source`. */
export interface GivenSource {
  readonly choice?: string | undefined;
  readonly values?: Readonly<Record<string, string>>;
  /** Fields of the input that replace the file's. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

interface Source<C extends Contract = Contract> {
  readonly input: unknown;
  /** Runs the tool with what the file says beyond the input. */
  readonly run: Tool<C>["run"];
  readonly warnings: readonly Warning[];
}

/** Limits of a run. An input beyond them is rejected before its result is written. */
export interface Limits {
  /** UTF-8 bytes of the result's JSON. */
  readonly resultBytes: number;
}

/** Options of a run. */
export interface RunOptions<C extends Contract = Contract> extends Partial<Limits> {
  /** The options of the text to be rendered, for which the result may need more. */
  readonly text?: TextOptionsOf<C> | undefined;
  /** A valid replacement for the tool's built-in data. */
  readonly setting?: SettingOf<C> | undefined;
}

/** Numbers that an existing product lacks, by the contract's `text.numbers`. */
export type GivenNumbers = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** An existing file of a tool's format, such as one of another program. */
export interface ExistingProduct<C extends Contract = Contract> {
  /** The inputs that give it again. */
  readonly inputs: readonly unknown[];
  /** Parts that no input can express, and surprises; paths are places in the file. */
  readonly warnings: readonly Warning[];
  /**
   * Compares it with the result of an input.
   *
   * @throws {InvalidInputError} for a valid input for which no correct output exists.
   */
  compare?(input: ValidInputOf<C>): Comparison<C>;
  /** Merges its items, as `merge` of the tool does those of an input. */
  merge?(): Merged;
}

/** The difference between the result of an input and an existing file. */
export interface Comparison<C extends Contract = Contract> {
  /** The result without the parts that the file has already. */
  readonly result: ResultOf<C>;
  /** The counts in one line: "3 new, 17 there already". */
  readonly summary: string;
  /** One line a difference. */
  readonly differences: readonly string[];
  /** True when the file already has all of the result. */
  readonly isEmpty: boolean;
}

/** A result as text for a terminal or a file, and the warnings about that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** A replacement for a tool's built-in data, by its name in the contract. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Validates an input, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const runTool = <C extends Contract>(
  { contract, run, furtherIssues }: Tool<C>,
  input: unknown,
  options: RunOptions<C> = {},
): ResultOf<C> => run(validInput(contract.input, input, furtherIssues), options);

/** The outcome of a run as a value, whatever the run throws. */
export function outcomeOf(run: () => object): ToolResult {
  try {
    return { ok: true, value: run() };
  } catch (cause) {
    if (cause instanceof InvalidInputError) {
      const { code, message, issues } = cause;
      return { ok: false, error: { code, message, issues } };
    }
    const message = "The tool failed on this input, which is a bug in it";
    return { ok: false, error: { code: "internal_error", message, issues: [], cause } };
  }
}

/**
 * Validates an input, and finds more issues in the parts that the schema accepts.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function validInput<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  furtherIssues: Tool["furtherIssues"],
): v.InferOutput<Schema> {
  try {
    return validate(schema, input);
  } catch (error) {
    if (!(error instanceof InvalidInputError) || !furtherIssues) throw error;
    throw new InvalidInputError([...error.issues, ...furtherIssues(input, error.issues)]);
  }
}

/**
 * Validates an input, and compares its result with an existing file.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function compareWith<C extends Contract>(
  product: ExistingProduct<C>,
  { contract, furtherIssues }: Tool<C>,
  input: unknown,
): Comparison<C> {
  if (!product.compare) throw new TypeError(`${contract.name} compares no files`);
  return product.compare(validInput(contract.input, input, furtherIssues));
}

/** The same tool with the limits of the product itself, for programs on the user's machine. */
export function withLocalLimits(tool: Tool): Tool {
  const { contract } = tool;
  return { ...tool, contract: { ...contract, input: contract.local_input ?? contract.input } };
}

/**
 * A copy of the tool's setting, if it is given.
 *
 * @throws {InvalidInputError} with every issue; an unknown name is one as well.
 */
export function validSetting<C extends Contract>(
  { setting }: C,
  given: GivenSettings,
): SettingOf<C> | undefined {
  validate(v.looseObject({}, "must be an object"), given, ["settings"]);
  const unknown = Object.keys(given).filter((name) => name !== setting?.name);
  if (unknown.length > 0) {
    throw new InvalidInputError(
      unknown.map((name) => issueAt([name], "is not a setting of this tool")),
    );
  }
  if (!setting || given[setting.name] === undefined) return undefined;
  return validate(setting.schema, given[setting.name], [setting.name]) as SettingOf<C>;
}
