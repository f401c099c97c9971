import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import {
  closedObject,
  described,
  email,
  list,
  type ReadonlyLists,
  text,
  textUpTo,
} from "./common.ts";
import { defineContract, resultList, resultObject, warningsSchema } from "./contract.ts";
import { INVISIBLE_CHARACTER } from "./invisible.ts";

/** `itemLength` and `wordsLength`, for items of `has_words`, are in code points. */
const SERVICE_LIMITS = { filters: 20, items: 20, itemLength: 200, wordsLength: 200 };

/**
 * Gmail's maximum of filters, and its longest search. An item of `has_words` may be longer, because we
 * split one with OR into several filters. That length and 500 items are our own limits.
 */
export const GMAIL_LIMITS: typeof SERVICE_LIMITS = {
  filters: 1000,
  items: 500,
  itemLength: 1400,
  wordsLength: 14_000,
};

/** For reading, merging and matching: ten times as many as Gmail keeps. */
export const MAX_READ_FILTERS = 10_000;

/** The largest message that Gmail accepts, in MB of 1,048,576 bytes. */
export const MAX_MESSAGE_MB = 50;

export const MAX_FILTER_NAME_LENGTH = 80;

const megabytes = (description: string) =>
  v.optional(
    v.pipe(v.number(), v.gtValue(0), v.maxValue(MAX_MESSAGE_MB), v.description(description)),
  );

const SEVERAL_ADDRESSES = "; one item may hold several addresses, separated by commas";

/** A string, because Biome rejects the needless escapes of the specification's pattern in a literal. */
const FORWARD_ADDRESS = String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;

const FORWARD_MEANING = "One address to forward to. It must be verified in Gmail first.";

/** Gmail's limit. */
const MAX_LABEL_LENGTH = 225;

const LABEL_MEANING = "Label to apply; a slash nests, as in Money/Bills.";

/** The actions, with every value that Gmail accepts. */
export const actionEntries = {
  label: v.optional(described(textUpTo(MAX_LABEL_LENGTH), LABEL_MEANING)),
  skip_inbox: flag("Archive the message: it skips the inbox."),
  mark_read: flag("Mark the message as read."),
  star: flag("Star the message."),
  never_spam: flag("Never send the message to Spam."),
  importance: v.optional(
    described(v.picklist(["always", "never"]), "Always or never mark the message as important."),
  ),
  delete: flag("Move the message to Trash."),
  category: v.optional(
    described(
      v.picklist(["personal", "social", "promo", "notification", "group"]),
      "Inbox tab: personal (Primary), social, promo (Promotions), notification (Updates) or group (Forums).",
    ),
  ),
  forward_to: v.optional(described(v.pipe(v.string(), email()), FORWARD_MEANING)),
};

/** The actions within the specification. Gmail's exports have other labels and addresses too. */
const PUBLIC_ACTIONS: typeof actionEntries = {
  ...actionEntries,
  label: v.optional(
    v.pipe(
      described(textUpTo(200), LABEL_MEANING),
      v.check(
        (label) => !/^\s*\[gmail\]\s*\//i.test(label.replace(INVISIBLE_CHARACTER, "")),
        "must not be under [Gmail], which belongs to Gmail",
      ),
    ),
  ),
  forward_to: v.optional(
    described(
      v.pipe(
        v.string(),
        v.regex(new RegExp(FORWARD_ADDRESS), "must be one e-mail address, such as me@example.com"),
        email(),
      ),
      FORWARD_MEANING,
    ),
  ),
};

function flag(description: string) {
  return v.optional(described(v.boolean(), description));
}

function filterSchema(limits: typeof SERVICE_LIMITS, actions: typeof actionEntries) {
  const { items, itemLength, wordsLength } = limits;
  const texts = (description: string, advice?: string, length = itemLength) =>
    v.optional(described(list(text(1, length), { max: items, advice }), description));
  return closedObject({
    name: v.optional(
      described(
        textUpTo(MAX_FILTER_NAME_LENGTH),
        "Tells filters apart. Written as a comment in the XML: Gmail stores no names.",
      ),
    ),
    from: texts(
      "Sender addresses, @domains or sender names. Any one matches. One item may hold several addresses, separated by commas.",
      SEVERAL_ADDRESSES,
    ),
    to: texts(
      "Recipient addresses, in To, Cc or Bcc; me is your own. Any one matches. One item may hold several.",
      SEVERAL_ADDRESSES,
    ),
    subject: texts(
      "Words or phrases in the subject. Any one matches. Several words in one item are a phrase.",
    ),
    has_words: texts(
      "Words anywhere in the message, all required. Several words in one item are a phrase. Gmail search operators allowed.",
      undefined,
      wordsLength,
    ),
    does_not_have: texts(
      "Words that exclude a message; any one of them is enough. Several words in one item are a phrase; from:boss@x.com and other operators are allowed.",
    ),
    has_attachment: flag("Only messages with an attachment."),
    larger_than_mb: megabytes("Only messages larger than this, in MB of 1,048,576 bytes."),
    smaller_than_mb: megabytes("Only messages smaller than this, in MB of 1,048,576 bytes."),
    ...actions,
  });
}

const filtersInputSchema = (limits: typeof SERVICE_LIMITS, actions = actionEntries) =>
  closedObject({
    filters: described(
      list(filterSchema(limits, actions), { min: 1, max: limits.filters }),
      "Each filter needs at least one condition and one action.",
    ),
  });

/** The input after validation. It is a copy with the same fields, because none has a default. */
export interface ValidMailFilterInput
  extends v.InferOutput<ReturnType<typeof filtersInputSchema>> {}
/** The input of `createMailFilters()`. */
export interface MailFilterInput
  extends ReadonlyLists<v.InferInput<ReturnType<typeof filtersInputSchema>>> {}
/** One filter. It needs at least one condition and one action. */
export type FilterInput = MailFilterInput["filters"][number];

export const mailFilterInput: v.GenericSchema<MailFilterInput, ValidMailFilterInput> =
  filtersInputSchema(SERVICE_LIMITS, PUBLIC_ACTIONS);

/** The input with every value that Gmail accepts. */
export const extendedMailFilterInput: typeof mailFilterInput = filtersInputSchema(GMAIL_LIMITS);

/** The input of a merge or a preview, with more filters than Gmail keeps. */
export const manyFiltersInput: typeof mailFilterInput = filtersInputSchema({
  ...GMAIL_LIMITS,
  filters: MAX_READ_FILTERS,
});

/** The `apps:property` names that Gmail knows, in the order of its exports. */
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

const filtersResultSchema = () =>
  v.strictObject({
    file: resultObject("The file to import.", {
      name: described(v.literal("mailFilters.xml"), "The file's name."),
      media_type: described(v.literal("application/xml"), "Its media type."),
      content: described(v.string(), "The XML, which ends with a newline."),
    }),
    filters: resultList("One per input filter, in order.", {
      name: described(v.string(), "The given name, or one such as Filter 1."),
      search: described(v.string(), "The search string of the whole filter."),
      preview_url: described(v.string(), "Opens that search in Gmail."),
      explanation: described(v.string(), "Explains the filter in one sentence."),
      entries: resultList("One per entry of the file; several if the filter had to be split.", {
        search: described(v.string(), "The search string of this entry."),
        properties: resultObject(
          "The names and values in the XML.",
          v.entriesFromList(
            PROPERTY_NAMES,
            v.optional(described(v.string(), "As in Gmail's exports.")),
          ),
        ),
      }),
    }),
    how_to_import: described(v.array(v.string()), "The steps in Gmail, one sentence each."),
    warnings: warningsSchema<WarningCode<"mail_filter_generator">>(),
  });

/** The result of `createMailFilters()`: the file to import, and its content. */
export interface MailFilterResult extends v.InferOutput<ReturnType<typeof filtersResultSchema>> {}
/** The result for one filter of the input. */
export type FilterResult = MailFilterResult["filters"][number];
/** One entry of the file: a filter in Gmail. */
export type FilterEntry = FilterResult["entries"][number];
/** The properties of an entry, with Gmail's names. */
export type FilterProperties = FilterEntry["properties"];

/** The contract of the Gmail filter generator. */
export const mailFilterContract = /*#__PURE__*/ defineContract({
  name: "mail_filter_generator",
  title: "Gmail filter generator",
  description:
    "Turns mail filters into Gmail search strings and an importable mailFilters.xml. Give filters with conditions (from, to, subject, words, size) and actions (label, archive, star, delete, forward, category). All conditions of a filter must match: for one or the other, give two filters. Get the search to preview each in Gmail and the file for Settings > Filters > Import filters.",
  command: "mail-filter",
  function: "createMailFilters",
  input: mailFilterInput,
  extended_input: extendedMailFilterInput,
  output: /*#__PURE__*/ filtersResultSchema() as v.GenericSchema<MailFilterResult>,
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
