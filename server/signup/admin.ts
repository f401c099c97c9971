import { plural } from "../../src/text.ts";
import { OperatorError } from "../operator-error.ts";
import type { Environment } from "../variables.ts";
import { type NewsletterConfig, readSignupConfig } from "./config.ts";
import { codeOf, redactedMessage } from "./errors.ts";
import { LEASE_MS } from "./newsletter/lease.ts";
import { type ListmonkApi, listmonkApi } from "./newsletter/listmonk-api.ts";
import { listSpellings } from "./spellings.ts";
import { openStore } from "./store/open-store.ts";
import type { SignupStore, StoredSignup } from "./store/signup-store.ts";
import { pagesOf, syncStored } from "./sync-stored.ts";
import { type ExportFormat, exportSignups, importSignups, safeJson } from "./transfer.ts";

export type { OperatorError } from "../operator-error.ts";

export type SignupAction =
  | { readonly name: "count" }
  | { readonly name: "export"; readonly email: string }
  | { readonly name: "delete"; readonly email: string; readonly newsletter: boolean }
  | { readonly name: "import"; readonly text: string }
  | { readonly name: "export-all"; readonly format: ExportFormat }
  /** Without `yes` it lists whom it would sync. */
  | {
      readonly name: "sync";
      readonly yes: boolean;
      readonly all: boolean;
      readonly personName: string | undefined;
    };

/**
 * Runs one `handtools signups` action. It never creates a database.
 *
 * @param environment the server's configuration, of which that of the signup is read.
 * @returns the text to print, in parts.
 * @throws {OperatorError} when the database cannot be used, the address is not stored, or listmonk
 * fails.
 */
export async function* operateSignups(
  action: SignupAction,
  environment: Environment,
): AsyncGenerator<string> {
  const { databaseUrl, newsletter } = readSignupConfig(environment);
  const store = await openStore(databaseUrl, false);
  try {
    if (action.name === "export-all") yield* exportSignups(store, action.format);
    else if (action.name === "sync") yield* sync(action, store, newsletter);
    else if (action.name === "delete") yield await remove(action, store, newsletter);
    else if (action.name === "import") yield await importSignups(store, action.text);
    else if (action.name === "export") yield await exportOne(action.email, store);
    else yield `${await store.count()}\n`;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const problem = `the database failed (${code}): when it works again, repeat the command`;
    throw new OperatorError(1, [`DATABASE_URL: ${problem}`]);
  } finally {
    await store.close();
  }
}

async function* sync(
  { yes, all, personName: name }: Extract<SignupAction, { name: "sync" }>,
  store: SignupStore,
  config: NewsletterConfig | undefined,
): AsyncGenerator<string> {
  const api = requireApi(config, "signups sync");
  if (!yes) {
    for await (const rows of pagesOf(store, false)) {
      yield rows
        .filter((row) => all || !row.synced)
        .map(unsyncedLine)
        .join("");
    }
    return;
  }
  const { text, failed } = await syncStored(store, api, { all, name });
  yield text;
  if (failed > 0) throw new OperatorError(1, [`listmonk failed for ${plural(failed, "signup")}`]);
}

/** Whom the newsletter does not have, since when, and why. */
const unsyncedLine = ({ email, createdAt, failedAt, failure }: StoredSignup): string =>
  `${safeJson({ email, createdAt, failedAt, failure })}\n`;

/**
 * The rows of an address, in any spelling: more than one only where a row was made by hand.
 *
 * @throws {OperatorError} for a text that is no address.
 */
async function findRows(email: string, store: SignupStore): Promise<StoredSignup[]> {
  const spellings = listSpellings(email);
  if (spellings.length === 0) {
    throw new OperatorError(2, ["EMAIL: must be an e-mail address, such as me@example.com"]);
  }
  const rows = await Promise.all(spellings.map((spelling) => store.find(spelling)));
  return rows.filter((row) => row !== undefined);
}

const inUse = (): OperatorError =>
  new OperatorError(1, [
    `a sync or a deletion of the address is under way, or ended early: repeat the command in ${LEASE_MS / 1_000} seconds`,
  ]);

const notStored = (): OperatorError => new OperatorError(1, ["the address is not stored"]);

async function exportOne(email: string, store: SignupStore): Promise<string> {
  const rows = await findRows(email, store);
  if (rows.length === 0) throw notStored();
  return rows.map((row) => `${safeJson(row, 2)}\n`).join("");
}

/** Deletes an address here, and in listmonk if wanted; otherwise it says who is there. */
async function remove(
  { email, newsletter }: Extract<SignupAction, { name: "delete" }>,
  store: SignupStore,
  config: NewsletterConfig | undefined,
): Promise<string> {
  const api = newsletter ? requireApi(config, "signups delete --newsletter") : undefined;
  const rows = await findRows(email, store);
  const id = rows.find(({ listmonkId }) => listmonkId !== undefined)?.listmonkId;
  // A sync that is under way could bring the address to listmonk after its deletion there.
  for (const row of api ? rows : []) {
    if (!(await store.lease(row.email, LEASE_MS, new Date()))) throw inUse();
  }
  const gone = await api?.remove(email, id).catch(listmonkFailed);
  // Deleted here last, so that a repeat of the command still has listmonk's number.
  for (const row of rows) await store.remove(row.email);
  if (rows.length === 0 && !gone?.length) throw notStored();
  const here = rows.length > 0 ? "deleted here" : "not stored here";
  return [...inListmonk(gone, id), here].map((text) => `${text}\n`).join("");
}

/**
 * @param gone the numbers that were deleted in listmonk; undefined when nobody looked there.
 * @param id the number that an earlier sync has stored.
 */
function inListmonk(gone: readonly number[] | undefined, id: number | undefined): string[] {
  if (gone?.length === 0) return ["listmonk does not have the address"];
  if (gone) return gone.map((number) => `deleted in listmonk: subscriber ${number}`);
  return id === undefined
    ? ["listmonk may have the address: --newsletter looks for it and deletes it"]
    : [`still in listmonk: subscriber ${id}; --newsletter deletes it there`];
}

function requireApi(config: NewsletterConfig | undefined, command: string): ListmonkApi {
  if (config) return listmonkApi(config);
  throw new OperatorError(2, [
    `LISTMONK_URL: ${command} needs it with LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID`,
  ]);
}

const listmonkFailed = (error: unknown): never => {
  throw new OperatorError(1, [redactedMessage(error)]);
};
