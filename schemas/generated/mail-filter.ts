// Written by `npm run golden` from the schemas. Change their descriptions, not this file.

import type { WarningCode } from "../codes.ts";
import type { Warning } from "../common.ts";

/** The result of `mailFilter()`: the file to import, and its content. */
export interface MailFilterResult {
  /** The file to import. */
  file: {
    /** The file's name. */
    name: "mailFilters.xml";
    /** Its media type. */
    media_type: "application/xml";
    /** The XML, which ends with a newline. */
    content: string;
  };
  /** One per input filter, in order. */
  filters: FilterResult[];
  /** The steps in Gmail, one sentence each. */
  how_to_import: string[];
  /** Problems to know about. Typical input gives none. */
  warnings: Warning<WarningCode<"mail_filter_generator">>[];
}

/** The result for one filter of the input. */
export interface FilterResult {
  /** The given name, or one such as Filter 1. */
  name: string;
  /** The search string of the whole filter. */
  search: string;
  /** Opens that search in Gmail. */
  preview_url: string;
  /** One sentence that says what the filter does. */
  explanation: string;
  /** One per entry of the file; more than one when a filter had to be split. */
  entries: FilterEntry[];
}

/** One entry of the file: a filter in Gmail. */
export interface FilterEntry {
  /** The search string of this entry. */
  search: string;
  /** Exactly the names and values in the XML. */
  properties: FilterProperties;
}

/** The properties of an entry, by the names that Gmail gives them. */
export interface FilterProperties {
  /** As in Gmail's exports. */
  from?: string | undefined;
  /** As in Gmail's exports. */
  to?: string | undefined;
  /** As in Gmail's exports. */
  subject?: string | undefined;
  /** As in Gmail's exports. */
  hasTheWord?: string | undefined;
  /** As in Gmail's exports. */
  doesNotHaveTheWord?: string | undefined;
  /** As in Gmail's exports. */
  hasAttachment?: string | undefined;
  /** As in Gmail's exports. */
  label?: string | undefined;
  /** As in Gmail's exports. */
  shouldMarkAsRead?: string | undefined;
  /** As in Gmail's exports. */
  shouldArchive?: string | undefined;
  /** As in Gmail's exports. */
  forwardTo?: string | undefined;
  /** As in Gmail's exports. */
  shouldStar?: string | undefined;
  /** As in Gmail's exports. */
  shouldTrash?: string | undefined;
  /** As in Gmail's exports. */
  shouldNeverSpam?: string | undefined;
  /** As in Gmail's exports. */
  shouldAlwaysMarkAsImportant?: string | undefined;
  /** As in Gmail's exports. */
  shouldNeverMarkAsImportant?: string | undefined;
  /** As in Gmail's exports. */
  smartLabelToApply?: string | undefined;
  /** As in Gmail's exports. */
  size?: string | undefined;
  /** As in Gmail's exports. */
  sizeOperator?: string | undefined;
  /** As in Gmail's exports. */
  sizeUnit?: string | undefined;
}

/** Mail filters, as `mailFilter()` reads them. */
export interface MailFilterInput {
  /** Each filter needs at least one condition and one action. 1 to 20 items. */
  filters: readonly FilterInput[];
}

/** One filter: conditions that select mail, and actions on it. It needs one of each. */
export interface FilterInput {
  /**
   * Tells filters apart. Written as a comment in the XML: Gmail stores no names. At most 80
   * characters.
   */
  name?: string | undefined;
  /**
   * Sender addresses, `@domains` or sender names. Any one matches. One item may hold several
   * addresses, separated by commas. At most 20 items. Each 1 to 200 characters.
   */
  from?: readonly string[] | undefined;
  /**
   * Recipient addresses, in To, Cc or Bcc; me is your own. Any one matches. One item may hold
   * several. At most 20 items. Each 1 to 200 characters.
   */
  to?: readonly string[] | undefined;
  /**
   * Words or phrases in the subject. Any one matches. Several words in one item are a phrase.
   * At most 20 items. Each 1 to 200 characters.
   */
  subject?: readonly string[] | undefined;
  /**
   * Words anywhere in the mail, all required. Several words in one item are a phrase. Gmail
   * search operators allowed. At most 20 items. Each 1 to 200 characters.
   */
  has_words?: readonly string[] | undefined;
  /**
   * Words that keep a mail out: any one of them does. Several words in one item are a phrase;
   * from:boss@x.com and other operators are allowed. At most 20 items. Each 1 to 200
   * characters.
   */
  does_not_have?: readonly string[] | undefined;
  /** Only mail with an attachment. */
  has_attachment?: boolean | undefined;
  /** Only mail larger than this, in MB of 1,048,576 bytes. More than 0, at most 50. */
  larger_than_mb?: number | undefined;
  /** Only mail smaller than this, in MB of 1,048,576 bytes. More than 0, at most 50. */
  smaller_than_mb?: number | undefined;
  /** Label to apply; a slash nests, as in Money/Bills. At most 200 characters. */
  label?: string | undefined;
  /** Archive the mail: it skips the inbox. */
  skip_inbox?: boolean | undefined;
  /** Mark the mail as read. */
  mark_read?: boolean | undefined;
  /** Star the mail. */
  star?: boolean | undefined;
  /** Never send the mail to Spam. */
  never_spam?: boolean | undefined;
  /** Always or never mark the mail as important. */
  importance?: "always" | "never" | undefined;
  /** Move the mail to the bin. */
  delete?: boolean | undefined;
  /**
   * Inbox tab: personal (Primary), social, promo (Promotions), notification (Updates) or group
   * (Forums).
   */
  category?: "personal" | "social" | "promo" | "notification" | "group" | undefined;
  /** One address to forward to. It must be verified in Gmail first. */
  forward_to?: string | undefined;
}
