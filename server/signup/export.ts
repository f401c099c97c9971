import { CONTROLS, visibleText } from "../../src/text.ts";
import type { SignupStore, StoredSignup } from "./model.ts";

export type ExportFormat = "csv" | "jsonl";

const PAGE_SIZE = 1_000;

/** Every stored row as text, a page at a time, so that the memory stays small. */
export async function* exportSignups(
  store: SignupStore,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield `${COLUMNS.join(",")}\n`;
  let after = "";
  for (;;) {
    const rows = await store.list({ after, limit: PAGE_SIZE, waiting: false });
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(format === "csv" ? csvLine : jsonLine).join("");
    after = last.email;
  }
}

const COLUMNS = [
  "email",
  "ctaSource",
  "referral",
  "referralOther",
  "createdAt",
  "synced",
  "syncedAt",
  "listmonkId",
] as const;

const jsonLine = (row: StoredSignup): string => `${safeJson(row)}\n`;

/** JSON whose texts cannot steer a terminal: an escape stands for the same character. */
export const safeJson = (value: unknown, indent?: number): string =>
  visibleText(JSON.stringify(value, null, indent));

const csvLine = (row: StoredSignup): string =>
  `${COLUMNS.map((column) => csvCell(row[column])).join(",")}\n`;

function csvCell(value: unknown): string {
  if (value === undefined) return "";
  const text = value instanceof Date ? value.toISOString() : String(value);
  const safe = text.replace(CONTROLS, "\uFFFD");
  // A spreadsheet would run such a text as a formula.
  const plain = /^[=+\-@]/.test(safe) ? `'${safe}` : safe;
  return /[",]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
