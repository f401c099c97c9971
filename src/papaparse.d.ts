/** The part of papaparse that we use. Its published types depend on Node's types. */
declare module "papaparse" {
  interface Options {
    readonly delimiter?: string | undefined;
    readonly delimitersToGuess?: readonly string[];
    readonly newline?: "\n";
    /** The rows that are read. */
    readonly preview?: number;
    readonly skipEmptyLines?: boolean;
  }
  interface Result {
    readonly data: readonly (readonly string[])[];
    /** `Quotes` if a quoted cell has no end, or continues after it; `row` is an index. */
    readonly errors: readonly { readonly type: string; readonly row?: number }[];
    readonly meta: { readonly delimiter: string };
  }
  const papaparse: { parse(text: string, options: Options): Result };

  export = papaparse;
}
