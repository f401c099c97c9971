import type { FilterDiagnostics } from "./diagnostics.ts";
import { normaliseLabel, removeAllInvisible } from "./terms/normalise.ts";

/**
 * The label as it is written to the file.
 *
 * @returns undefined when it was rejected.
 */
export function readLabel(text: string, diagnostics: FilterDiagnostics): string | undefined {
  const label = normaliseLabel(text, diagnostics);
  if (label === undefined) return undefined;
  const segments = label.split("/").map((segment) => removeAllInvisible(segment).trim());
  const [first = "", ...deeper] = segments;
  if (first === "" || deeper.includes("")) {
    diagnostics.reject("must have a name on both sides of each slash, as in Money/Bills");
    return undefined;
  }
  const isGmails = /^(?:inbox|\[gmail\])$/i.test(first);
  if (isGmails && deeper.length === 0) {
    diagnostics.reject(`must not be ${first}, which belongs to Gmail`);
    return undefined;
  }
  if (isGmails) {
    diagnostics.warn(
      "reserved-label",
      `${removeAllInvisible(label).trim()} is under Gmail's own ${first}, as mail programs make labels; the import may reject it`,
    );
  }
  warnAboutLabel(label, diagnostics);
  return label;
}

/**
 * Names that Gmail reserves (API labels guide, got-your-back #264, lieer). The list is not complete,
 * and each account language adds its own names. Travel, Personal and Finance are on Google's list
 * too, but Gmail's exports have them as labels of users.
 */
const RESERVED = new Set([
  ...["all mail", "bin", "chat", "chats", "draft", "drafts", "forums", "important", "muted"],
  ...["promotions", "scheduled", "sent", "snoozed", "social", "spam", "starred", "todo", "trash"],
  ...["unread", "updates", "voicemail"],
]);

function warnAboutLabel(label: string, diagnostics: FilterDiagnostics): void {
  const name = removeAllInvisible(label).trim();
  if (RESERVED.has(name.toLowerCase()) || /^category_/i.test(name)) {
    diagnostics.warn(
      "reserved-label",
      `${name} is one of Gmail's own names; the import may reject it`,
    );
  }
  if (name.startsWith("^")) {
    diagnostics.warn("system-label", "a label that starts with ^ may be read as a system label");
  }
  if (label.includes("\\")) {
    diagnostics.warn("backslash-in-label", "a backslash does not nest labels; use a slash");
  }
}
