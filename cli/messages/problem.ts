/** A problem, and the place where the user wrote it. */
export interface Problem {
  readonly text: string;
  /** The path in the file's value, or the user's name for a part of the input. */
  readonly path?: string;
  readonly place?: {
    readonly file: string;
    readonly line?: number;
    readonly column?: number;
  };
}

/** `rules.json:14:23: filters[1].larger_than_mb: must be at most 50` */
export function problemLine({ place, path = "", text }: Problem): string {
  const { file, line, column } = place ?? {};
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return messageLine(where, path, text);
}

/** Joins the parts that are not empty: `rules.json: filters[0].label: must …`. */
export const messageLine = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join(": ");
