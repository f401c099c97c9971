import * as v from "valibot";
import { calendarDay, closedObject, described, list, text } from "./common.ts";
import { actionEntries } from "./mail-filter.ts";

export const filterTestsSchema = closedObject({
  tests: described(
    list(
      closedObject({
        name: described(text(1, 200), "Tells tests apart."),
        message: v.optional(
          described(
            messageSchema(),
            "The message. A missing field is empty; a missing size or date is unknown.",
          ),
        ),
        eml: v.optional(
          described(text(1, 4096), "A file with the message, as a path relative to this file."),
        ),
        expect: described(
          closedObject({
            ...actionEntries,
            label: v.optional(
              described(
                v.union(
                  [text(1, 200), v.array(text(1, 200))],
                  "must be a label or an array of labels",
                ),
                "The label that the message gets, or the list of all its labels.",
              ),
            ),
          }),
          "The actions of the filters on the message. No other action may happen.",
        ),
        unknown: v.optional(
          described(
            v.literal("allow"),
            "allow: the test also passes if it is unknown whether a filter matches.",
          ),
        ),
      }),
      { min: 1, max: 10_000 },
    ),
    "Each has a `message` or an `eml`.",
  ),
});

export type FilterTest = v.InferOutput<typeof filterTestsSchema>["tests"][number];

function messageSchema() {
  const header = v.optional(described(v.string(), "As in the header."), "");
  return closedObject({
    from: header,
    to: header,
    cc: header,
    bcc: header,
    delivered_to: header,
    subject: header,
    list: v.optional(described(v.string(), "List-Id and List-Post."), ""),
    text: v.optional(described(v.string(), "The text of the body."), ""),
    attachments: v.optional(
      described(
        v.array(closedObject({ name: v.optional(described(v.string(), "Its file name.")) })),
        "Its attachments. Gmail may not count one without a name.",
      ),
      [],
    ),
    bytes: v.optional(v.pipe(v.number(), v.minValue(0), v.description("Its size in bytes."))),
    date: v.optional(
      v.pipe(
        v.string(),
        v.isoTimestamp(),
        calendarDay,
        v.description("In UTC, 2026-11-22T12:00:00Z."),
      ),
    ),
  });
}
