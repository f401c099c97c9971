import type { GenericSchema, InferInput, InferOutput } from "valibot";

/** An option of a tool's text rendering: a switch, one of several values, or some of them. */
export type RenderOption =
  | {
      readonly type: "switch";
      readonly description: string;
      /** The result has more with it, so that it goes with the whole result as JSON too. */
      readonly in_result?: true;
    }
  | {
      readonly type: "choice";
      /** The first is that of most inputs. */
      readonly values: readonly string[];
      readonly description: string;
      readonly in_result?: true;
    }
  | {
      readonly type: "choices";
      readonly values: readonly string[];
      readonly description: string;
      readonly in_result?: true;
    };

/** An option that takes a file in the format of the product, such as one of another program. */
export interface FileOption {
  /**
   * `read` prints the input that gives the file again. `subtract` writes only what the file lacks.
   * `compare` prints the differences and writes nothing.
   */
  readonly does: "read" | "subtract" | "compare";
  readonly description: string;
  /** Keys that only such a JSON file has, if it shares others with an input. */
  readonly marks?: readonly string[];
  /** A flag with the number of a part, from 1, for a file that may hold several. */
  readonly part?: { readonly name: string; readonly description: string };
}

/** An option with numbers that an existing file does not have. */
export interface NumberOption {
  /** One number, or one for each name in the file: `--runs "Leads=300"`. */
  readonly type: "number" | "numbers";
  readonly description: string;
}

/** Another format of an input FILE, such as the manifest of a registry, and what completes it. */
export interface SourceOption {
  /** The name of such a file, for messages: "a server.json". */
  readonly file: string;
  /** What else FILE may be, for the help. */
  readonly others: string;
  /** The option that chooses one of several inputs in it. */
  readonly choice: {
    readonly name: string;
    readonly values: readonly string[];
    readonly description: string;
  };
  /** The option with values that it lacks: `--set NAME=VALUE`. */
  readonly values: { readonly name: string; readonly description: string };
  /** The fields of the input that may be given beside it. */
  readonly fields: readonly string[];
}

/** Data that a tool has built in and that its operator may replace with a JSON file. */
export interface Setting {
  /** Such as `price_book`. */
  readonly name: string;
  readonly schema: GenericSchema;
  readonly description: string;
}

/**
 * Everything about a tool except its code. Every surface (library, flags, help, HTTP, OpenAPI,
 * pages, documents) is computed from it.
 */
export interface ContractShape {
  /** Tool identifier: lower case, words joined by underscores. */
  readonly name: string;
  readonly title: string;
  /** One paragraph of at most 500 characters, which AI agents show in full. */
  readonly description: string;
  readonly command: string;
  readonly function: string;
  readonly input: GenericSchema;
  /**
   * The same input with the limits of the product itself, for programs on the user's machine.
   * `input` has the limits of the public service.
   */
  readonly local_input?: GenericSchema;
  /** The input of a merge, which may have more items than the product. */
  readonly merge_input?: GenericSchema;
  /** The list of the input that several files may fill together. */
  readonly list?: string;
  /** The fields that a command line fills: its first word, and all others. */
  readonly command_line?: readonly [first: string, others: string];
  /** Fields of the input by the names that other programs give them, for near misses. */
  readonly synonyms?: Readonly<Record<string, string>>;
  readonly output: GenericSchema<object>;
  /** An input that runs without a warning. */
  readonly example_input: unknown;
  /** The text rendering: a description in a few words ("the XML file"), and its options. */
  readonly text: {
    readonly description: string;
    /** Set when lines that begin with a dash are sentences, which a terminal may wrap. */
    readonly has_notes?: true;
    readonly options: Readonly<Record<string, RenderOption>>;
    /** The options by which an existing file is read, by the names of their flags. */
    readonly files?: Readonly<Record<string, FileOption>>;
    /** The description of `--merge`, for a tool that can merge items of the list. */
    readonly merge?: string;
    /** The options with numbers that an existing file lacks, by the names of their flags. */
    readonly numbers?: Readonly<Record<string, NumberOption>>;
    /**
     * Set when the text is usually a part of a file that other programs share: what to do to a file
     * that holds more. Such a file is not overwritten.
     */
    readonly shared_file?: string;
  };
  readonly setting?: Setting;
  readonly source?: SourceOption;
  /** True when a result may hold the user's secrets: then it must not be cached or logged. */
  readonly sensitive: boolean;
}

/** A contract with its path segment, `mail-filter-generator` for `mail_filter_generator`. */
export type Contract<Shape extends ContractShape = ContractShape> = Shape & {
  readonly segment: string;
};

/** Checks a contract's type and adds its path segment. */
export function defineContract<const Shape extends ContractShape>(
  shape: Shape & { example_input: InferInput<Shape["input"]> },
): Contract<Shape> {
  return { ...shape, segment: shape.name.replaceAll("_", "-") };
}

/** The input before validation. */
export type InputOf<C extends ContractShape> = InferInput<C["input"]>;
/** The input after validation, with its defaults filled in. */
export type ValidInputOf<C extends ContractShape> = InferOutput<C["input"]>;
/** The result of a tool. */
export type ResultOf<C extends ContractShape> = InferOutput<C["output"]>;

/** A replacement for a tool's built-in data. */
export type SettingOf<C extends ContractShape> = C extends { readonly setting: Setting }
  ? InferOutput<C["setting"]["schema"]>
  : unknown;

/** The options of a tool's text rendering. */
export type TextOptionsOf<C extends ContractShape> = {
  readonly [K in keyof C["text"]["options"]]?: OptionValue<C["text"]["options"][K]>;
};

/** The value of a text option. */
export type OptionValue<Option extends RenderOption> = Option extends {
  values: readonly (infer Value)[];
}
  ? Option extends { type: "choice" }
    ? Value
    : readonly Value[]
  : boolean;
