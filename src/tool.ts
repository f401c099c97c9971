import type { GenericSchema, InferOutput } from "valibot";
import type {
  Contract,
  ResultOf,
  SettingsOf,
  TextOptionsOf,
  ValidInputOf,
  Warning,
} from "../schemas/index.ts";
import { InvalidInputError, type Issue, issueAt } from "./issues.ts";
import { validate } from "./validate.ts";

/** A contract with its code. */
export interface Tool<C extends Contract = Contract> {
  readonly contract: C;
  /** @throws {InvalidInputError} for a valid input for which no correct output exists. */
  run(input: ValidInputOf<C>, settings: SettingsOf<C>, options?: RunOptions<C>): ResultOf<C>;
  /** The product as text that ends with a newline. */
  render(result: ResultOf<C>, options: TextOptionsOf<C>): Rendering;
  /**
   * What else is wrong with an input that breaks the schema, in the parts that do not break it.
   *
   * @param known what the schema finds.
   */
  furtherIssues?(input: unknown, known: readonly Issue[]): readonly Issue[];
  /**
   * Reads an existing product, for the contract's `text.files`.
   *
   * @throws {InvalidInputError} for a text that is no product; paths are places in the text.
   */
  readProduct?(text: string): Promise<ExistingProduct<C>>;
}

/** Limits to what a run may give. An input beyond them is refused before its result is written. */
export interface Limits {
  /** UTF-8 bytes of the result's JSON. */
  readonly resultBytes: number;
}

/** What a caller may ask of a run. */
export interface RunOptions<C extends Contract = Contract> extends Partial<Limits> {
  /** The options of the text to be rendered, for which the result may need more. */
  readonly text?: TextOptionsOf<C>;
}

/** A product that exists already, such as a file of another program. */
export interface ExistingProduct<C extends Contract = Contract> {
  /** The inputs that give it again. */
  readonly inputs: readonly unknown[];
  /** What no input can say, and what may surprise; paths are places in the product. */
  readonly warnings: readonly Warning[];
  /**
   * Compares it with what an input gives.
   *
   * @throws {InvalidInputError} for an input that is valid but has no honest output.
   */
  compare?(input: ValidInputOf<C>, settings: SettingsOf<C>): Comparison<C>;
}

/** The difference between what an input gives and an existing product. */
export interface Comparison<C extends Contract = Contract> {
  /** The result without what the product has already. */
  readonly result: ResultOf<C>;
  /** The numbers, in one line: "3 new, 17 there already". */
  readonly summary: string;
  /** One line a difference. */
  readonly differences: readonly string[];
}

/** A result as text for a terminal or a file, and the warnings about that text. */
export interface Rendering {
  readonly text: string;
  readonly warnings: readonly Warning[];
}

/** Replacements for a tool's built-in data, by their names in the contract. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Validates the input and the settings, and runs the tool.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export const runTool = <C extends Contract>(
  tool: Tool<C>,
  input: unknown,
  settings: GivenSettings = {},
  options: RunOptions<C> = {},
): ResultOf<C> => withSettings(tool, settings, options)(input);

/**
 * Binds a tool to its settings, which are validated once for many calls.
 *
 * @returns a function that runs the tool on an unknown input, also for a text with options.
 * @throws {InvalidInputError} with every issue of the settings; an unknown name is one as well.
 */
export function withSettings<C extends Contract>(
  tool: Tool<C>,
  given: GivenSettings,
  options: RunOptions<C> = {},
): (input: unknown, text?: TextOptionsOf<C>) => ResultOf<C> {
  const { contract } = tool;
  const settings = validSettings(contract, given);
  return (input, text) =>
    tool.run(
      validInput(tool.contract.input, input, tool.furtherIssues),
      settings,
      text ? { ...options, text } : options,
    );
}

/**
 * Validates an input, and finds what is wrong with the parts that the schema accepts.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function validInput<Schema extends GenericSchema>(
  schema: Schema,
  input: unknown,
  furtherIssues: Tool["furtherIssues"],
): InferOutput<Schema> {
  try {
    return validate(schema, input);
  } catch (error) {
    if (!(error instanceof InvalidInputError) || !furtherIssues) throw error;
    throw new InvalidInputError([...error.issues, ...furtherIssues(input, error.issues)]);
  }
}

/**
 * Validates the input and the settings, and compares what they give with an existing product.
 *
 * @throws {InvalidInputError} with every issue found.
 */
export function compareWith<C extends Contract>(
  product: ExistingProduct<C>,
  tool: Tool<C>,
  input: unknown,
  settings: GivenSettings,
): Comparison<C> {
  const { contract } = tool;
  if (!product.compare) throw new TypeError(`${contract.name} compares no products`);
  const valid = validInput(contract.input, input, tool.furtherIssues);
  return product.compare(valid, validSettings(contract, settings));
}

/** The same tool with the limits of the product itself, for programs on the user's machine. */
export function withLocalLimits(tool: Tool): Tool {
  const { contract } = tool;
  return { ...tool, contract: { ...contract, input: contract.local_input ?? contract.input } };
}

function validSettings<C extends Contract>(contract: C, given: GivenSettings): SettingsOf<C> {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(contract.settings, name));
  if (unknown.length > 0) {
    throw new InvalidInputError(
      unknown.map((name) => issueAt([name], "is not a setting of this tool")),
    );
  }
  const entries = Object.entries(contract.settings)
    .filter(([name]) => given[name] !== undefined)
    .map(([name, { schema }]) => [name, validate(schema, given[name], [name])]);
  return Object.fromEntries(entries);
}
