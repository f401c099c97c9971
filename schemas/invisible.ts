/*
 * The characters that nobody sees. They hide a difference between two texts, turn the direction of
 * writing, or command a terminal.
 */

/** A control character. */
export const CONTROL = /\p{Cc}/u;

/** What shows nothing, not even white space. */
export const INVISIBLE = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Runs of what an editor does not show or breaks a line at, except line feeds. */
export const UNSEEN = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu;

/** What shows something, white space and halves of surrogate pairs left out. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Marks that turn the direction of writing. Joiners, which Persian names have, do not. */
export const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What changes how the rest of a line is shown: controls, line separators and marks of direction. */
export const LINE_CONTROL = new RegExp(
  String.raw`[\p{Cc}\u2028\u2029]|${DIRECTION_MARK.source}`,
  "gu",
);
