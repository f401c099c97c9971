/**
 * Escapes the characters that a reviewer cannot see: controls, zero-width and bidirectional marks,
 * tags, separators. Line feeds are left out, since they are the layout of a written file.
 */
export const escapeInvisible = (text: string, write: (character: string) => string): string =>
  isPlain(text)
    ? text
    : text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, write);

/** Most texts are, and an engine takes longer to compile the Unicode classes than to match them. */
const isPlain = (text: string): boolean => /^[\n -~]*$/.test(text);
