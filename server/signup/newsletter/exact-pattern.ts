/** A regular expression of PostgreSQL that matches one text and nothing else, case apart. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;
