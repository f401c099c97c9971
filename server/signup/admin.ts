import { resolve } from "node:path";
import { plural } from "../../src/text.ts";
import { type Environment, StartupError } from "../config.ts";
import { type NewsletterConfig, readSignupConfig } from "./config.ts";
import { StoreError } from "./errors.ts";
import type { SignupStore, StoredSignup } from "./model.ts";
import { listmonkApi } from "./newsletter/listmonk-api.ts";
import { listmonkPublic } from "./newsletter/listmonk-public.ts";
import { fileFailure, filePath, fileProblem, openStore } from "./store/open-store.ts";
import { backUpSqlite, verifySqlite } from "./store/sqlite-file.ts";
import { pagesOf, syncStored } from "./sync-stored.ts";

export { StartupError } from "../config.ts";

type ExportFormat = "csv" | "jsonl";

export type SignupAction =
  | { readonly name: "count" }
  | { readonly name: "export" | "delete"; readonly email: string }
  | { readonly name: "export-all"; readonly format: ExportFormat }
  | {
      readonly name: "sync";
      readonly yes: boolean;
      readonly all: boolean;
      readonly personName: string | undefined;
    }
  | { readonly name: "backup"; readonly file: string }
  | { readonly name: "verify"; readonly file: string | undefined };

/**
 * Runs one `handtools signups` action. It never creates a database.
 *
 * @param environment the server's configuration, of which DATABASE_URL counts.
 * @returns the text to print, in parts.
 * @throws {StartupError} when the database cannot be used, the address is not stored, or listmonk
 * fails.
 */
export async function* operateSignups(
  action: SignupAction,
  environment: Environment,
): AsyncGenerator<string> {
  const { databaseUrl, newsletter } = readSignupConfig(environment, undefined);
  if (action.name === "backup") return yield backUp(databaseUrl, resolve(action.file));
  if (action.name === "verify" && action.file !== undefined) {
    return yield verifyFile(resolve(action.file), copyFailure);
  }
  const store = await openStore(databaseUrl, { create: false, check: true });
  try {
    if (action.name === "export-all") yield* exportSignups(store, action.format);
    else if (action.name === "sync") yield* sync(action, store, newsletter);
    else yield await perform(action, store, databaseUrl);
  } finally {
    await store.close();
  }
}

function backUp(databaseUrl: string, target: string): string {
  const path = filePath(databaseUrl);
  if (path === undefined) {
    throw new StartupError(2, [
      "DATABASE_URL: a PostgreSQL database is backed up by its own program: pg_dump --schema=handtools",
    ]);
  }
  try {
    backUpSqlite(path, target);
  } catch (error) {
    if (error instanceof StoreError && error.code.startsWith("backup-")) {
      throw new StartupError(1, [error.message]);
    }
    throw fileFailure(path, error);
  }
  return `backed up to ${target}\n`;
}

function verifyFile(path: string, failure = fileFailure): string {
  try {
    return wholeWith(verifySqlite(path));
  } catch (error) {
    throw failure(path, error);
  }
}

/** Of a file of the operator's, which may be broken while the database of DATABASE_URL is well. */
const copyFailure = (path: string, error: unknown): StartupError =>
  new StartupError(1, [fileProblem(path, error)]);

const wholeWith = (count: number): string => `ok: ${count} signups\n`;

async function* sync(
  { yes, all, personName: name }: Extract<SignupAction, { name: "sync" }>,
  store: SignupStore,
  config: NewsletterConfig,
): AsyncGenerator<string> {
  if (config.kind === "off" || (config.kind === "public" && !all)) {
    throw new StartupError(2, [
      "LISTMONK_URL: signups sync needs it with LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID; with LISTMONK_LIST_UUID there is signups sync --all",
    ]);
  }
  const warnings = new Set<string>();
  const warn = (problem: string) => warnings.add(problem);
  const newsletter =
    config.kind === "api" ? listmonkApi({ ...config, warn }) : listmonkPublic({ ...config, warn });
  const { text, failed } = await syncStored(store, newsletter, { yes, all, name });
  yield [text, ...[...warnings].map((warning) => `${warning}\n`)].join("");
  if (failed > 0) throw new StartupError(1, [`listmonk failed for ${plural(failed, "signup")}`]);
}

async function perform(
  action: Exclude<SignupAction, { name: "backup" | "export-all" | "sync" }>,
  store: SignupStore,
  databaseUrl: string,
): Promise<string> {
  if (action.name === "count") return `${await store.count()}\n`;
  if (action.name === "verify") {
    const path = filePath(databaseUrl);
    return path === undefined ? wholeWith(await store.count()) : verifyFile(path);
  }
  const email = action.email.trim().toLowerCase();
  if (action.name === "export") {
    const row = await store.find(email);
    if (!row) throw notStored();
    return `${safeJson(row, 2)}\n`;
  }
  if (!(await store.remove(email))) throw notStored();
  return "deleted here; the newsletter system keeps its own record, which is to be deleted there\n";
}

const notStored = (): StartupError => new StartupError(1, ["the address is not stored"]);

import { CONTROLS, visibleText } from "../../src/text.ts";

/** Every stored row as text. */
export async function* exportSignups(
  store: SignupStore,
  format: ExportFormat,
): AsyncGenerator<string> {
  if (format === "csv") yield `${COLUMNS.join(",")}\n`;
  for await (const rows of pagesOf(store, false)) {
    yield rows.map(format === "csv" ? csvLine : jsonLine).join("");
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
const safeJson = (value: unknown, indent?: number): string =>
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
