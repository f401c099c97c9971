/**
 * A word as a POSIX shell takes it: bare where no shell finds a meaning in it, else in single
 * quotes. A word that starts with `=` is quoted because zsh looks for a program of that name.
 */
export const posixQuote = (word: string): string =>
  /^[\w@%+:,./-][\w@%+:,./=-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
