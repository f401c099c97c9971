import { redactedMessage } from "./errors.ts";
import { NOT_FREE, underLease } from "./newsletter/lease.ts";
import type { ListmonkApi } from "./newsletter/listmonk-api.ts";
import type { SyncResult, SyncState } from "./newsletter/newsletter.ts";
import type { SignupStore, StoredSignup } from "./store/signup-store.ts";

/**
 * Brings stored addresses to listmonk. Their names are not stored, so people whom listmonk does not
 * have are created only with a name from the operator.
 *
 * @param all also those that the newsletter has: its list may be a new one.
 * @returns the text to print, and for how many addresses listmonk failed.
 */
export async function syncStored(
  store: SignupStore,
  newsletter: ListmonkApi,
  { all, name }: { readonly all: boolean; readonly name: string | undefined },
): Promise<{ text: string; failed: number }> {
  const counted = { stored: 0, known: 0, unknown: 0, done: 0, rejected: 0, failed: 0 };
  const errors = new Set<string>();
  const failWith = (failure: string): void => {
    counted.failed += 1;
    errors.add(failure);
  };
  const fail = (error: unknown): SyncResult => {
    const failure = redactedMessage(error);
    failWith(failure);
    return { ok: false, listmonkId: undefined, failure };
  };

  const syncOne = async (row: StoredSignup, state: SyncState): Promise<SyncResult> => {
    const subscriber = { email: row.email, name: name ?? "", attributes: toAttributes(row) };
    const listmonkId = await newsletter.syncKnown(subscriber, state);
    counted[listmonkId === undefined ? "unknown" : "known"] += 1;
    if (listmonkId !== undefined) return { ok: true, listmonkId };
    if (name === undefined) {
      const { rejected, failure = "" } = row;
      return { ...NEEDS_NAME, ...(rejected && { rejected, failure }) };
    }
    const created = await newsletter.sync(subscriber, { ...state, synced: false });
    const { ok, rejected, failure = "" } = created;
    if (rejected) {
      counted.rejected += 1;
      errors.add(failure);
    } else if (!ok) failWith(failure);
    return created;
  };
  const lease = { store, now: () => new Date(), onError: fail };

  for await (const rows of pagesOf(store, !all)) {
    for (const row of rows) {
      counted.stored += 1;
      const end = await underLease(row.email, lease, (state) => syncOne(row, state).catch(fail));
      if (end.ok) counted.done += 1;
      else if (end === NOT_FREE) failWith(NOT_FREE.failure);
    }
  }
  const { stored, known, unknown, done, rejected, failed } = counted;
  const lines = [
    `${all ? "stored" : "waiting"}: ${stored}`,
    `in listmonk already: ${known}`,
    `not in listmonk: ${unknown}`,
    // An unsubscribed or blocklisted person is left alone, and counts as done.
    `subscribed or left alone: ${done}`,
  ];
  if (rejected > 0) lines.push(`rejected for good: ${rejected}`);
  if (failed > 0) lines.push(`failed: ${failed}`);
  lines.push(...errors);
  if (name === undefined && unknown > 0) {
    lines.push("those that listmonk does not have need a name: --name TEXT creates them with it");
  }
  return { text: `${lines.join("\n")}\n`, failed };
}

const NEEDS_NAME: SyncResult = {
  ok: false,
  listmonkId: undefined,
  failure: "listmonk does not have the address, and its name is not stored",
};

/** The stored rows, a page at a time, so that the memory stays small. */
export async function* pagesOf(
  store: SignupStore,
  onlyWaiting: boolean,
): AsyncGenerator<readonly StoredSignup[]> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const rows: readonly StoredSignup[] = await store.list({
      after,
      limit: PAGE_SIZE,
      onlyWaiting,
    });
    yield rows;
    after = rows.at(-1)?.email;
  }
}

const PAGE_SIZE = 1_000;

const toAttributes = ({ ctaSource, referral, referralOther }: StoredSignup) => ({
  ctaSource,
  ...(referral !== undefined && { referral }),
  ...(referralOther !== undefined && { referralOther }),
});
