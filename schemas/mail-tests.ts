import * as v from "valibot";
import { closedObject, list, text } from "./common.ts";
import { actionEntries } from "./mail-filter.ts";

/** Tests of filters: mails, and what the filters must do with each. */
export const mailTestsSchema = closedObject({
  tests: v.pipe(
    list(
      closedObject({
        name: v.pipe(text(1, 200), v.description("Tells tests apart.")),
        message: v.optional(
          v.pipe(message(), v.description("The mail; what is left out is empty.")),
        ),
        eml: v.optional(
          v.pipe(text(1, 4096), v.description("A file with the mail, relative to this file.")),
        ),
        expect: v.pipe(
          closedObject({
            ...actionEntries,
            label: v.optional(
              v.pipe(
                v.union(
                  [text(1, 200), v.array(text(1, 200))],
                  "must be a label or an array of labels",
                ),
                v.description("The label that the mail gets, or all of them."),
              ),
            ),
          }),
          v.description("The actions of the filters on the mail; all others must not happen."),
        ),
        unknown: v.optional(
          v.pipe(
            v.literal("allow"),
            v.description("Whether it may be unknown if a filter takes the mail."),
          ),
        ),
      }),
      { min: 1, max: 10_000 },
    ),
    v.description("Each has a `message` or an `eml`."),
  ),
});

export type MailTest = v.InferOutput<typeof mailTestsSchema>["tests"][number];

/** A mail described by hand: what is left out is empty, but for size and date, which are unknown. */
function message() {
  const header = v.optional(v.pipe(v.string(), v.description("As in the header.")), "");
  return closedObject({
    from: header,
    to: header,
    cc: header,
    bcc: header,
    delivered_to: header,
    subject: header,
    list: v.optional(v.pipe(v.string(), v.description("List-Id and List-Post.")), ""),
    text: v.optional(v.pipe(v.string(), v.description("The text of the body.")), ""),
    attachments: v.optional(
      v.pipe(
        v.array(
          closedObject({ name: v.optional(v.pipe(v.string(), v.description("Its file name."))) }),
        ),
        v.description("Its attachments; one without a name may be none in Gmail."),
      ),
      [],
    ),
    bytes: v.optional(v.pipe(v.number(), v.minValue(0), v.description("Its size in bytes."))),
    date: v.optional(
      v.pipe(v.string(), v.isoTimestamp(), v.description("In UTC, 2026-11-22T12:00:00Z.")),
    ),
  });
}
