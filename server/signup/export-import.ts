import * as v from "valibot";
import { calendarDay } from "../../schemas/common.ts";
import { LINE_CONTROL } from "../../schemas/invisible.ts";
import { EmailSchema } from "../../schemas/signup.ts";
import { escapeText } from "../../src/text.ts";
import { OperatorError } from "../operator-error.ts";
import { listAddressVariants } from "./address-variants.ts";
import type { SignupStore, StoredSignup } from "./store/signup-store.ts";

export type ExportFormat = "csv" | "jsonl";

export async function* exportSignups(
  store: SignupStore,
  format: ExportFormat,
): AsyncGenerator<string> {
  // Excel needs the byte order mark to read UTF-8.
  if (format === "csv") yield `\ufeff${EXPORT_COLUMNS.join(",")}\n`;
  for await (const rows of listPages(store)) {
    yield rows.map(format === "csv" ? csvLine : (row) => `${safeJson(row)}\n`).join("");
  }
}

/** Reads the rows a page at a time, to bound the memory. */
export async function* listPages(store: SignupStore): AsyncGenerator<readonly StoredSignup[]> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const rows: readonly StoredSignup[] = await store.list(after, PAGE_SIZE);
    yield rows;
    after = rows.at(-1)?.email;
  }
}

const PAGE_SIZE = 1_000;

const EXPORT_COLUMNS = [
  "email",
  "ctaSource",
  "referral",
  "referralOther",
  "createdAt",
  "synced",
  "syncedAt",
  "rejected",
] as const;

/** Escapes control characters, because a terminal may show the JSON. */
export const safeJson = (value: unknown, indent?: number): string =>
  escapeText(JSON.stringify(value, null, indent));

const csvLine = (row: StoredSignup): string =>
  `${EXPORT_COLUMNS.map((column) => csvCell(row[column])).join(",")}\n`;

function csvCell(value: unknown): string {
  if (value === undefined) return "";
  const text = value instanceof Date ? value.toISOString() : String(value);
  const plain = text.replace(LINE_CONTROL, "\uFFFD").replace(FORMULA_START, "$1'");
  return /[",]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * The position before a value that a spreadsheet would run as a formula. Spreadsheets that separate
 * cells by semicolons also start a cell after each of them, even inside quotes.
 */
const FORMULA_START = /(^|;)(?=[\s"]*[=+\-@＝＋－＠])/g;

const isoTime = v.pipe(v.string(), v.isoTimestamp(), calendarDay, v.toDate());

const optionalOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.optional(schema, () => undefined);

const RowSchema = v.strictObject({
  email: v.pipe(
    v.string(),
    v.transform((text) => listAddressVariants(text)[0] ?? text),
    EmailSchema,
  ),
  ctaSource: v.string(),
  referral: optionalOf(v.string()),
  referralOther: optionalOf(v.string()),
  createdAt: isoTime,
  synced: v.boolean(),
  syncedAt: optionalOf(isoTime),
  failedAt: optionalOf(isoTime),
  failure: optionalOf(v.string()),
  rejected: v.optional(v.boolean(), false),
  /** In exports of 0.6.0 and older. */
  listmonkId: v.optional(v.unknown()),
});

const LineSchema = v.pipe(v.string(), v.parseJson(), RowSchema);

/**
 * Adds the rows of an export in JSON lines. Addresses that are already stored stay unchanged.
 *
 * @returns the report.
 * @throws {OperatorError} for the first line that is not a row; nothing is added.
 */
export async function importSignups(store: SignupStore, text: string): Promise<string> {
  const rows: StoredSignup[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const { success, output } = v.safeParse(LineSchema, line);
    if (!success) {
      throw new OperatorError(2, [
        `line ${index + 1} is not a row of handtools signups export; nothing was imported`,
      ]);
    }
    rows.push(output);
  }
  let added = 0;
  for (let start = 0; start < rows.length; start += ADDED_AT_ONCE) {
    added += await store.add(rows.slice(start, start + ADDED_AT_ONCE));
  }
  return `imported: ${added}\nalready stored: ${rows.length - added}\n`;
}

/** Keeps a statement below the databases' limits of parameters. */
const ADDED_AT_ONCE = 500;
