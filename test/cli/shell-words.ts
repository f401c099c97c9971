/** The words of a command line as a POSIX shell splits it: plain and single-quoted text. */
export const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll("\\'", "\u0000").replaceAll("'", "").replaceAll("\u0000", "'"),
  );
