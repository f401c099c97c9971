import * as v from "valibot";
import { closedObject, described, type Editable, email, list, shortText, text } from "./common.ts";
import { defineContract } from "./contract.ts";
import type { MailFilterInput, MailFilterResult } from "./generated/mail-filter.ts";
import { warningsOf } from "./warning.ts";

export type * from "./generated/mail-filter.ts";

/** How much an input may hold: numbers of filters and of items of a list, code points of an item. */
interface InputLimits {
  readonly filters: number;
  readonly items: number;
  readonly itemLength: number;
}

const PUBLIC_LIMITS: InputLimits = { filters: 20, items: 20, itemLength: 200 };

/** Gmail's own: as many filters as it keeps, and expressions as long as one filter can hold. */
export const GMAIL_LIMITS: InputLimits = { filters: 1000, items: 500, itemLength: 1400 };

const megabytes = (description: string) =>
  v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(50), v.description(description)));

const SEVERAL = "; one item may hold several addresses, separated by commas";

/** A text, because a literal may not have the needless escapes of the specification's pattern. */
const FORWARD_ADDRESS = String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;

/** The actions of a filter, as Gmail takes them. */
export const actionEntries = {
  label: v.optional(described(shortText(200), "Label to apply; a slash nests, as in Money/Bills.")),
  skip_inbox: flag("Archive the mail: it skips the inbox."),
  mark_read: flag("Mark the mail as read."),
  star: flag("Star the mail."),
  never_spam: flag("Never send the mail to Spam."),
  importance: v.optional(
    described(v.picklist(["always", "never"]), "Always or never mark the mail as important."),
  ),
  delete: flag("Move the mail to the bin."),
  category: v.optional(
    described(
      v.picklist(["personal", "social", "promo", "notification", "group"]),
      "Inbox tab: personal (Primary), social, promo (Promotions), notification (Updates) or group (Forums).",
    ),
  ),
  forward_to: v.optional(
    v.pipe(
      v.string(),
      email(),
      v.description("One address to forward to. It must be verified in Gmail first."),
    ),
  ),
};

/** The actions as the specification has them; exports of Gmail have other labels and addresses too. */
const PUBLIC_ACTIONS = {
  ...actionEntries,
  label: v.optional(
    v.pipe(
      actionEntries.label.wrapped,
      v.check(
        (label) => !/^\s*\[gmail\]\s*\//i.test(visible(label)),
        "must not be under [Gmail], which belongs to Gmail",
      ),
    ),
  ),
  forward_to: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(FORWARD_ADDRESS), "must be one e-mail address, such as me@example.com"),
      ...actionEntries.forward_to.wrapped.pipe.slice(1),
    ),
  ),
};

const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "");

/** A field that is on or off. */
function flag(description: string) {
  return v.optional(described(v.boolean(), description));
}

const SYNONYMS = {
  archive: "skip_inbox",
  bin: "delete",
  contains: "has_words",
  except: "does_not_have",
  exclude: "does_not_have",
  forward: "forward_to",
  has: "has_words",
  important: "importance",
  larger: "larger_than_mb",
  mark_as_read: "mark_read",
  move_to: "label",
  not: "does_not_have",
  query: "has_words",
  recipient: "to",
  sender: "from",
  size: "larger_than_mb",
  smaller: "smaller_than_mb",
  tag: "label",
  trash: "delete",
  words: "has_words",
} as const;

type ActionEntries = typeof actionEntries | typeof PUBLIC_ACTIONS;

function filterSchema({ items, itemLength }: InputLimits, actions: ActionEntries) {
  const texts = (description: string, advice?: string) =>
    v.optional(described(list(text(1, itemLength), { max: items, advice }), description));
  const entries = {
    name: v.optional(
      described(
        shortText(80),
        "Tells filters apart. Written as a comment in the XML: Gmail stores no names.",
      ),
    ),
    from: texts(
      "Sender addresses, @domains or sender names. Any one matches. One item may hold several addresses, separated by commas.",
      SEVERAL,
    ),
    to: texts(
      "Recipient addresses, in To, Cc or Bcc; me is your own. Any one matches. One item may hold several.",
      SEVERAL,
    ),
    subject: texts(
      "Words or phrases in the subject. Any one matches. Several words in one item are a phrase.",
    ),
    has_words: texts(
      "Words anywhere in the mail, all required. Several words in one item are a phrase. Gmail search operators allowed.",
    ),
    does_not_have: texts(
      "Words that keep a mail out: any one of them does. Several words in one item are a phrase; from:boss@x.com and other operators are allowed.",
    ),
    has_attachment: flag("Only mail with an attachment."),
    larger_than_mb: megabytes("Only mail larger than this, in MB of 1,048,576 bytes."),
    smaller_than_mb: megabytes("Only mail smaller than this, in MB of 1,048,576 bytes."),
    ...actions,
  };
  return closedObject(entries, SYNONYMS);
}

const inputSchema = (
  limits: InputLimits,
  actions: ActionEntries = actionEntries,
): v.GenericSchema<MailFilterInput, ValidMailFilterInput> =>
  closedObject({
    filters: described(
      list(filterSchema(limits, actions), { min: 1, max: limits.filters }),
      "Each filter needs at least one condition and one action.",
    ),
  });

/** The names of `apps:property` that Gmail knows, in the order of its own exports. */
export const PROPERTY_NAMES = [
  "from",
  "to",
  "subject",
  "hasTheWord",
  "doesNotHaveTheWord",
  "hasAttachment",
  "label",
  "shouldMarkAsRead",
  "shouldArchive",
  "forwardTo",
  "shouldStar",
  "shouldTrash",
  "shouldNeverSpam",
  "shouldAlwaysMarkAsImportant",
  "shouldNeverMarkAsImportant",
  "smartLabelToApply",
  "size",
  "sizeOperator",
  "sizeUnit",
] as const;
/** A name of `apps:property`. */
export type PropertyName = (typeof PROPERTY_NAMES)[number];

const PropertySchema = v.optional(described(v.string(), "As in Gmail's exports."));

const ResultSchema: v.GenericSchema<MailFilterResult> = v.strictObject({
  file: described(
    v.strictObject({
      name: described(v.literal("mailFilters.xml"), "The file's name."),
      media_type: described(v.literal("application/xml"), "Its media type."),
      content: described(v.string(), "The XML, which ends with a newline."),
    }),
    "The file to import.",
  ),
  filters: described(
    v.array(
      v.strictObject({
        name: described(v.string(), "The given name, or one such as Filter 1."),
        search: described(v.string(), "The search string of the whole filter."),
        preview_url: described(v.string(), "Opens that search in Gmail."),
        explanation: described(v.string(), "One sentence that says what the filter does."),
        entries: described(
          v.array(
            v.strictObject({
              search: described(v.string(), "The search string of this entry."),
              properties: described(
                v.strictObject(v.entriesFromList(PROPERTY_NAMES, PropertySchema)),
                "Exactly the names and values in the XML.",
              ),
            }),
          ),
          "One per entry of the file; more than one when a filter had to be split.",
        ),
      }),
    ),
    "One per input filter, in order.",
  ),
  how_to_import: described(v.array(v.string()), "The steps in Gmail, one sentence each."),
  warnings: warningsOf<MailFilterResult["warnings"][number]["code"]>(),
});

/** The contract of the Gmail filter generator. */
export const mailFilterContract = defineContract({
  name: "mail_filter_generator",
  title: "Gmail filter generator",
  description:
    "Turns mail rules into Gmail search strings and an importable mailFilters.xml. Give filters with conditions (from, to, subject, words, size) and actions (label, archive, star, delete, forward, category). All conditions of one filter apply together: for one or the other, give two filters. Get the search to preview each in Gmail and the file for Settings > Filters > Import filters.",
  command: "mail-filter",
  function: "mailFilter",
  input: inputSchema(PUBLIC_LIMITS, PUBLIC_ACTIONS),
  local_input: inputSchema(GMAIL_LIMITS),
  synonyms: SYNONYMS,
  output: ResultSchema,
  example_input: {
    filters: [
      {
        name: "Bills and receipts",
        from: ["billing@acme.example", "@shop.example"],
        subject: ["invoice", "your receipt"],
        does_not_have: ["refund"],
        label: "Money/Bills",
        skip_inbox: true,
      },
    ],
  },
  prints: "mailFilters.xml, ready to import",
  sensitive: false,
});

/** The input of a merge or a trial, which may have more filters than Gmail keeps. */
export const mailFilterMergeInput = inputSchema({ ...GMAIL_LIMITS, filters: 10_000 });

/** The input after validation, a copy: there are no defaults. */
export type ValidMailFilterInput = Editable<MailFilterInput>;
