/*
 * Patterns of invisible characters. They hide a difference between two strings, turn the direction of
 * writing, or command a terminal.
 */

/** A control character. */
export const CONTROL = /\p{Cc}/u;

/** A character that shows nothing, not even white space. */
export const INVISIBLE = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** A run of characters that an editor hides or breaks a line at, except line feeds. */
export const UNSEEN = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu;

/** A visible character: no white space, and no half of a surrogate pair. */
export const VISIBLE = /[^\p{Z}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A mark that turns the direction of writing. Joiners, which Persian names have, do not. */
export const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A control, a line separator or a mark of direction: it changes how the rest of a line is shown. */
export const LINE_CONTROL = new RegExp(
  String.raw`[\p{Cc}\u2028\u2029]|${DIRECTION_MARK.source}`,
  "gu",
);
