/** The part of papaparse that the library uses. Its published types bring those of Node. */
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
    /** `Quotes` where a quoted cell has no end, or goes on after it; `row` is an index. */
    readonly errors: readonly { readonly type: string; readonly row?: number }[];
    readonly meta: { readonly delimiter: string };
  }
  const papaparse: { parse(text: string, options: Options): Result };

  export = papaparse;
}
