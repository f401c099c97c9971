import type { WarningCode } from "../schemas/codes.ts";
import type { ToolContract, Warning } from "../schemas/index.ts";
import { formatPath, InvalidInputError, type Path, type Problem } from "./issues.ts";
import { formatNumber } from "./text.ts";

/** A template such as "must not be {name}", or a function of its arguments. */
type Message = string | ((args: never) => string);

interface MessageTemplate<Severity extends "error" | Warning["severity"]> {
  /** Errors reject the input; warnings and infos accept it. */
  readonly severity: Severity;
  /** Continues the path: "must not be blank". */
  readonly message: Message;
  /** The sentence on a page, which has neither flags nor files. Default: the message. */
  readonly onPage?: Message;
}

const templateFor =
  <const Severity extends "error" | Warning["severity"]>(severity: Severity) =>
  <const Words extends Message>(message: Words, onPage?: Words | string) => ({
    severity,
    message,
    ...(onPage !== undefined && { onPage }),
  });

export const error = templateFor("error");
export const warning = templateFor("warning");
export const info = templateFor("info");

/**
 * The messages of a tool's warnings: one for each code in `schemas/codes.json`. A variant,
 * `code/variant`, has a message or a severity of its own.
 */
export type WarningMessages<Name extends ToolContract["name"]> = Readonly<
  Record<WarningCode<Name>, MessageTemplate<Warning["severity"]>>
> &
  Readonly<{ [Key in `${WarningCode<Name>}/${string}`]?: MessageTemplate<Warning["severity"]> }>;

/** Messages that reject an input although its schema accepts it. */
export type RejectionMessages = Readonly<Record<string, MessageTemplate<"error">>>;

type FindingTable = Readonly<Record<string, MessageTemplate<"error" | Warning["severity"]>>>;

type WarningCodeOf<Table extends FindingTable> = {
  [Key in keyof Table]: Table[Key]["severity"] extends "error"
    ? never
    : Key extends `${infer Code}/${string}`
      ? Code
      : Key & string;
}[keyof Table];

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ArgsOf<Words extends Message> = Words extends (args: never) => string
  ? Parameters<Words>
  : [NamesIn<Words>] extends [never]
    ? []
    : [args: Readonly<Record<NamesIn<Words>, string | number>>];

export type FindingArgs<Table extends FindingTable, Code extends keyof Table> = [
  code: Code,
  ...args: ArgsOf<Table[Code]["message"]>,
];

/** A warning before `formatWarnings`. */
export interface Finding<Code extends string = string> extends Problem {
  readonly code: Code;
  /** The code, or `code/variant`. */
  readonly key: string;
  readonly severity: Warning["severity"];
}

/** A result before `formatWarnings`. */
export type RawResult<Result> = Omit<Result, "warnings"> & {
  readonly warnings: readonly (Result extends { readonly warnings: readonly Warning<infer Code>[] }
    ? Finding<Code>
    : Finding)[];
};

/** Formats the paths of the warnings, as users see them. */
export const formatWarnings = <Raw extends { readonly warnings: readonly Finding[] }>(
  raw: Raw,
): Omit<Raw, "warnings"> & { warnings: Warning<Raw["warnings"][number]["code"]>[] } => ({
  ...raw,
  warnings: raw.warnings.map(({ code, severity, path, message }) => {
    return { code, severity, path: formatPath(path), message };
  }),
});

/**
 * Collects findings about an input or a file, with the messages of a tool's table. Each instance reports
 * at one path; all instances of a run share one collection.
 *
 * @example
 * const findings = new Findings(costFindings);
 * findings.at("zaps", 1).add("paths-longest-branch", { longest: 2, all: 3 });
 */
export class Findings<Table extends FindingTable> {
  readonly problems: Problem[];
  readonly warnings: Finding<WarningCodeOf<Table>>[];
  private readonly table: Table;
  private readonly path: Path;

  constructor(table: Table, path: Path = [], collected?: Findings<Table>) {
    this.table = table;
    this.path = path;
    this.problems = collected?.problems ?? [];
    this.warnings = collected?.warnings ?? [];
  }

  /** Returns the same collection at a path below this one. */
  at(...keys: Path): Findings<Table> {
    return new Findings(this.table, [...this.path, ...keys], this);
  }

  /** @returns undefined, so that a parser can report and return in one statement. */
  add<Code extends keyof Table & string>(...[code, ...args]: FindingArgs<Table, Code>): undefined {
    const { severity, message, onPage } = this.table[code] as FindingTable[string];
    const fill = (words: Message) =>
      typeof words === "string"
        ? fillTemplate(words, Object(args[0]))
        : (words as (...args: readonly unknown[]) => string)(...args);
    const problem = { path: this.path, message: fill(message), onPage: onPage && fill(onPage) };
    if (severity === "error") this.problems.push(problem);
    else {
      const [name = ""] = code.split("/");
      this.warnings.push({ code: name as WarningCodeOf<Table>, key: code, severity, ...problem });
    }
  }

  /** @throws {InvalidInputError} with this finding and all earlier problems. */
  fail<Code extends keyof Table & string>(...finding: FindingArgs<Table, Code>): never {
    this.add(...finding);
    throw new InvalidInputError(this.problems);
  }

  throwIfRejected(): void {
    if (this.problems.length > 0) throw new InvalidInputError(this.problems);
  }
}

const fillTemplate = (text: string, args: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = args[name] ?? "";
    return typeof value === "number" ? formatNumber(value) : value;
  });
