import type { SkipReason } from "./report.ts";

/** Why a mail is left out, by the labels that Google Takeout gives it; undefined for most. */
export function skipReason(
  labels: readonly string[],
  {
    includeSpam = false,
    includeTrash = false,
  }: { readonly includeSpam?: boolean | undefined; readonly includeTrash?: boolean | undefined },
): SkipReason | undefined {
  const has = (folder: keyof typeof NAMES) => labels.some((label) => NAMES[folder].has(label));
  if (has("chats")) return "chats";
  if (has("spam") && !includeSpam) return "spam";
  if (has("trash") && !includeTrash) return "trash";
  return has("sent") && !has("inbox") ? "sent" : undefined;
}

/**
 * Takeout writes Gmail's built-in labels in the language of the account. These names are from
 * programs that read such files (imap-upload, suitenumerique/messages) and from their users'
 * reports (bichon, got-your-back): English, German, Spanish, Catalan, French, Czech.
 */
const NAMES = {
  chats: new Set(["Chat", "Chats"]),
  spam: new Set(["Spam"]),
  trash: new Set(["Trash", "Papierkorb", "Papelera", "Paperera", "Corbeille"]),
  sent: new Set([
    ...["Sent", "Gesendet", "Enviados", "Enviats", "Odesláno"],
    ...["Envoyé", "Messages envoyés", "Mails envoyés"],
  ]),
  inbox: new Set([
    ...["Inbox", "Posteingang", "Recibidos", "Safata d'entrada", "Boîte de réception", "Doručené"],
  ]),
} as const;
