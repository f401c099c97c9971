/**
 * A user's text on one line, safe for a terminal: escape sequences, line breaks and marks that
 * reverse the reading order are gone. Empty when nothing visible is left.
 */
export const printable = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Z}]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}]/gu, "")
    .trim();
