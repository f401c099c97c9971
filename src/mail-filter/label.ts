import type { Findings, Path } from "../issues.ts";
import { visibleText } from "./characters.ts";
import { normalise } from "./normalise.ts";

/** As a first segment these never import (gmailctl #300). */
const SYSTEM_FOLDERS = ["inbox", "[gmail]"];

/**
 * Names that Gmail keeps for itself as a whole (API labels guide, got-your-back #264, lieer).
 * Its list is not complete, and the language of the account adds to it.
 */
const RESERVED = new Set([
  ...["all mail", "bin", "chat", "chats", "draft", "drafts", "finance", "forums", "important"],
  ...["muted", "personal", "promotions", "scheduled", "sent", "snoozed", "social", "spam"],
  ...["starred", "todo", "trash", "travel", "unread", "updates", "voicemail"],
]);

/**
 * The label as it is written to the file.
 *
 * @returns undefined when it had to be refused.
 */
export function readLabel(text: string, path: Path, findings: Findings): string | undefined {
  const normal = normalise(text, path, findings);
  if (normal === undefined) return undefined;
  const segments = normal.split("/").map((segment) => segment.trim());
  const [first = "", ...deeper] = segments.map(visibleText);
  if (first === "" || deeper.includes("")) {
    findings.refuse(path, "must have a name on both sides of each slash, as in Money/Bills");
    return undefined;
  }
  if (SYSTEM_FOLDERS.includes(first.toLowerCase())) {
    findings.refuse(path, `must not be or start with ${first}, which belongs to Gmail`);
    return undefined;
  }
  const label = segments.join("/");
  remarkOn(label, path, findings);
  return label;
}

function remarkOn(label: string, path: Path, findings: Findings): void {
  const name = visibleText(label);
  if (RESERVED.has(name.toLowerCase()) || /^category_/i.test(name)) {
    findings.warn(
      "reserved-label",
      path,
      `${name} is a name of Gmail's own; the import may refuse it`,
    );
  }
  if (name.startsWith("^")) {
    findings.warn(
      "system-label",
      path,
      "a label that starts with ^ may be taken for a system label",
    );
  }
  if (label.includes("\\")) {
    findings.warn("backslash-in-label", path, "a backslash does not nest labels; use a slash");
  }
}
