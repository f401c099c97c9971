import * as v from "valibot";
import { email, shortText } from "./common.ts";

/** A text, because a literal may not have the needless escapes of the specification's pattern. */
const FORWARD_ADDRESS = String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`;

/** The actions of a filter. */
export const actionEntries = {
  label: v.optional(
    v.pipe(shortText(200), v.description("Label to apply; a slash nests, as in Money/Bills.")),
  ),
  skip_inbox: flag("Archive the mail: it skips the inbox."),
  mark_read: flag("Mark the mail as read."),
  star: flag("Star the mail."),
  never_spam: flag("Never send the mail to Spam."),
  importance: v.optional(
    v.pipe(
      v.picklist(["always", "never"]),
      v.description("Always or never mark the mail as important."),
    ),
  ),
  delete: flag("Move the mail to the bin."),
  category: v.optional(
    v.pipe(
      v.picklist(["personal", "social", "promo", "notification", "group"]),
      v.description(
        "Inbox tab: personal (Primary), social, promo (Promotions), notification (Updates) or group (Forums).",
      ),
    ),
  ),
  forward_to: v.optional(
    v.pipe(
      v.string(),
      v.regex(new RegExp(FORWARD_ADDRESS), "must be one e-mail address, such as me@example.com"),
      email(),
      v.description("One address to forward to. It must be verified in Gmail first."),
    ),
  ),
};

/** Gmail's names for what a filter does, in the order of its own exports. */
export const ACTION_PROPERTIES = [
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
] as const;

/** A field that is on or off. */
export function flag(description: string) {
  return v.optional(v.pipe(v.boolean(), v.description(description)));
}
