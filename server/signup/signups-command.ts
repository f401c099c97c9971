import { formatCount } from "../../src/text.ts";
import type { Environment } from "../environment-variables.ts";
import { OperatorError } from "../operator-error.ts";
import { listAddressVariants } from "./address-variants.ts";
import {
  type ExportFormat,
  exportSignups,
  importSignups,
  listPages,
  safeJson,
} from "./export-import.ts";
import { type ListmonkApi, listmonkApi } from "./newsletter/listmonk-api.ts";
import { LEASE_MS, syncClaimed } from "./newsletter/sync-newsletter.ts";
import { type NewsletterConfig, readSignupConfig } from "./signup-config.ts";
import { getDatabaseErrorCode, redactedMessage } from "./signup-errors.ts";
import { openStore } from "./store/open-store.ts";
import type { SignupStore, StoredSignup } from "./store/signup-store.ts";

export type { OperatorError } from "../operator-error.ts";

export type SignupAction =
  | { readonly name: "count" }
  | { readonly name: "export"; readonly email: string }
  | { readonly name: "delete"; readonly email: string; readonly newsletter: boolean }
  | { readonly name: "import"; readonly text: string }
  | { readonly name: "export-all"; readonly format: ExportFormat }
  /** Without `yes` it only lists the signups to sync. */
  | {
      readonly name: "sync";
      readonly yes: boolean;
      readonly all: boolean;
      readonly personName: string | undefined;
    };

/**
 * Runs one `handtools signups` action. It never creates a database.
 *
 * @returns the output, in parts.
 * @throws {OperatorError} if the database or listmonk fails, or the address is not stored.
 */
export async function* runSignupsAction(
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
    else if (action.name === "export") {
      const row = await find(action.email, store);
      if (!row) throw notStored();
      yield `${safeJson(row, 2)}\n`;
    } else yield `${await store.count()}\n`;
  } catch (error) {
    const code = getDatabaseErrorCode(error);
    if (code === undefined) throw error;
    const problem =
      code === INSUFFICIENT_PRIVILEGE ? NEEDS_RIGHTS : "when it works again, repeat the command";
    throw new OperatorError(1, [`DATABASE_URL: the database failed (${code}): ${problem}`]);
  } finally {
    await store.close();
  }
}

/** PostgreSQL's code for missing privileges, including rows hidden by a policy. */
const INSUFFICIENT_PRIVILEGE = "42501";

const NEEDS_RIGHTS =
  "the role needs all rights on the tables of the schema handtools, and BYPASSRLS where they have row-level security";

/**
 * Lists the signups that are missing in the newsletter, or syncs them to listmonk. Names are not
 * stored, so creating a subscriber needs one from the operator.
 */
async function* sync(
  { yes, all, personName: name }: Extract<SignupAction, { name: "sync" }>,
  store: SignupStore,
  config: NewsletterConfig | undefined,
): AsyncGenerator<string> {
  const listmonk = requireListmonk(config, "signups sync");
  const isWanted = ({ synced, rejected }: StoredSignup): boolean =>
    yes && rejected ? all && name !== undefined : all || !synced;
  const ends = new Map<string, number>();
  let total = 0;
  let failed = 0;
  for await (const rows of listPages(store)) {
    const wanted = rows.filter(isWanted);
    if (!yes) yield wanted.map(unsyncedLine).join("");
    for (const { email, ctaSource, referral, referralOther } of yes ? wanted : []) {
      const attributes = {
        ctaSource,
        ...(referral !== undefined && { referral }),
        ...(referralOther !== undefined && { referralOther }),
      };
      const { ok, rejected, needsName, failure } = await syncClaimed(
        { email, name, attributes },
        listmonk,
        store,
        (error) => Promise.reject(error),
      );
      // "left alone": unsubscribed or blocklisted.
      const end = ok ? "subscribed or left alone" : `not subscribed: ${failure}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      total += 1;
      if (!(ok || rejected || needsName)) failed += 1;
    }
  }
  if (!yes) return;
  const lines = [[all ? "stored" : "waiting", total], ...ends];
  yield lines.map(([end, rows]) => `${rows} ${end}\n`).join("");
  if (failed > 0)
    throw new OperatorError(1, [`listmonk failed for ${formatCount(failed, "signup")}`]);
}

const unsyncedLine = ({ email, createdAt, failedAt, failure }: StoredSignup): string =>
  `${safeJson({ email, createdAt, failedAt, failure })}\n`;

/**
 * Finds the row of an address, in any spelling.
 *
 * @throws {OperatorError} for an invalid address.
 */
async function find(email: string, store: SignupStore): Promise<StoredSignup | undefined> {
  const [stored] = listAddressVariants(email);
  if (stored !== undefined) return await store.find(stored);
  throw new OperatorError(2, ["EMAIL: must be an e-mail address, such as me@example.com"]);
}

const notStored = (): OperatorError => new OperatorError(1, ["the address is not stored"]);

async function remove(
  { email, newsletter }: Extract<SignupAction, { name: "delete" }>,
  store: SignupStore,
  config: NewsletterConfig | undefined,
): Promise<string> {
  const listmonk = newsletter
    ? requireListmonk(config, "signups delete --with-subscriber")
    : undefined;
  const row = await find(email, store);
  // A running sync could add the address to listmonk after its deletion.
  if (row && !(await store.lease(row.email, LEASE_MS, new Date()))) {
    throw new OperatorError(1, [
      `a sync or a deletion of the address is under way, or ended early: repeat the command in ${LEASE_MS / 1_000} seconds`,
    ]);
  }
  const gone = await listmonk?.remove(email).catch((error: unknown) => {
    throw new OperatorError(1, [redactedMessage(error)]);
  });
  // Our row goes last, so that a failed command can be repeated.
  if (row) await store.remove(row.email);
  else if (!gone?.length) throw notStored();
  const inListmonk = gone
    ? gone.map((id) => `deleted in listmonk: subscriber ${id}\n`).join("") ||
      "listmonk does not have the address\n"
    : "listmonk may have the address: --with-subscriber looks for it and deletes it\n";
  return `${inListmonk}${row ? "deleted here" : "not stored here"}\n`;
}

function requireListmonk(config: NewsletterConfig | undefined, command: string): ListmonkApi {
  if (config) return listmonkApi(config);
  throw new OperatorError(2, [
    `LISTMONK_URL: ${command} needs it with LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID`,
  ]);
}
