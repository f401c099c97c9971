/*
 * Invisible characters. They hide differences between strings, change the writing direction, or
 * control a terminal.
 */

export const CONTROL_CHARACTER = /\p{Cc}/u;

/** A character that is not displayed. White space is. */
export const INVISIBLE_CHARACTER = /(?!\p{White_Space})[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Characters that an editor hides, or uses as a line break, except line feeds. */
export const HIDDEN_IN_EDITORS =
  /(?:(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu;

/** A visible character. White space and unpaired surrogates are not. */
export const VISIBLE_CHARACTER = /[^\p{Z}\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A mark that changes the writing direction. Joiners, which Persian names have, do not. */
export const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A character that changes how the rest of a line is displayed. */
export const LINE_CONTROL = new RegExp(
  String.raw`[\p{Cc}\u2028\u2029]|${DIRECTION_MARK.source}`,
  "gu",
);
