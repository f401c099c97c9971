/**
 * Tells if a line that begins with `From ` begins a mail. Programs that write mailboxes escape such
 * lines in texts, but not all do, and some leave out the date or the blank line before it.
 *
 * @param next the line after it.
 */
export function isSeparator(line: string, next: string, isBlankBefore: boolean): boolean {
  if (DATED.test(line)) return isBlankBefore || HEADER.test(next);
  return isBlankBefore && COMMON_HEADER.test(next);
}

/** `From 1797@xxx Mon Jan 05 10:00:00 +0000 2026`: a time and a year, in any order. */
const DATED =
  /^From .{0,400}?\b\d{1,2}:\d\d\b(?:.{0,40}\b(?:19|20)\d\d\b|(?<=\b(?:19|20)\d\d\b.{0,40}))/;

const HEADER = /^(?:>From |[!-9;-~]{1,76}:)/;

/** A text may have a colon in its first line, so only what mails begin with. */
const COMMON_HEADER =
  /^(?:>From |(?:x-[\w-]+|received|return-path|delivered-to|from|to|date|subject|message-id|mime-version|content-type|dkim-signature|arc-[\w-]+|authentication-results|status|reply-to|sender|envelope-to):)/i;
