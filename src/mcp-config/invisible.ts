/**
 * Characters that a reviewer cannot see: controls, zero-width and bidirectional marks, tags,
 * separators. Line feeds are left out, since they are the layout of a written file.
 */
export const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
