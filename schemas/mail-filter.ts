import * as v from "valibot";
import type { WarningCode } from "./codes.ts";
import { described } from "./common.ts";
import { defineContract } from "./contract.ts";
import {
  localMailFilterInput,
  mailFilterInput,
  PROPERTY_NAMES,
  SYNONYMS,
} from "./inputs/mail-filter.ts";
import { warningsOf } from "./warning.ts";

export {
  type FilterInput,
  type MailFilterInput,
  PROPERTY_NAMES,
  type PropertyName,
  type ValidMailFilterInput,
} from "./inputs/mail-filter.ts";

const PropertySchema = v.optional(described(v.string(), "As in Gmail's exports."));

const ResultSchema = v.strictObject({
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
  warnings: warningsOf<WarningCode<"mail_filter_generator">>(),
});

/** The result of `mailFilter()`: the file to import, and its content. */
export interface MailFilterResult extends v.InferOutput<typeof ResultSchema> {}
/** The result for one filter of the input. */
export type FilterResult = MailFilterResult["filters"][number];
/** One entry of the file: a filter in Gmail. */
export type FilterEntry = FilterResult["entries"][number];
/** The properties of an entry, by the names that Gmail gives them. */
export type FilterProperties = FilterEntry["properties"];

/** The contract of the Gmail filter generator. */
export const mailFilterContract = defineContract({
  name: "mail_filter_generator",
  title: "Gmail filter generator",
  description:
    "Turns mail rules into Gmail search strings and an importable mailFilters.xml. Give filters with conditions (from, to, subject, words, size) and actions (label, archive, star, delete, forward, category). All conditions of one filter apply together: for one or the other, give two filters. Get the search to preview each in Gmail and the file for Settings > Filters > Import filters.",
  command: "mail-filter",
  function: "mailFilter",
  input: mailFilterInput,
  local_input: localMailFilterInput,
  synonyms: SYNONYMS,
  output: ResultSchema as v.GenericSchema<MailFilterResult>,
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
