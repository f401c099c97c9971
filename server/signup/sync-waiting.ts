import type { SignupStore, StoredSignup } from "./model.ts";
import type { ListmonkApi } from "./newsletter/listmonk-api.ts";

interface SyncOptions {
  /** Whether anything is done; else it is only counted. */
  readonly yes: boolean;
  /** The name under which listmonk creates people whom it does not have. */
  readonly name: string | undefined;
}

const PAGE_SIZE = 500;

/**
 * Brings the stored addresses that are not synced to listmonk. Their names are not stored, so people
 * whom listmonk does not have are created only with a name from the operator.
 *
 * @returns the text to print, and for how many addresses listmonk failed.
 */
export async function syncWaiting(
  store: SignupStore,
  newsletter: ListmonkApi,
  { yes, name }: SyncOptions,
): Promise<{ text: string; failed: number }> {
  const counted = { waiting: 0, known: 0, unknown: 0, done: 0, failed: 0 };

  const syncOne = async (row: StoredSignup): Promise<void> => {
    const subscriber = { email: row.email, name: name ?? "", attributes: attributesOf(row) };
    const known = yes
      ? await newsletter.syncKnown(subscriber, row)
      : await newsletter.lookUp(row.email, row.listmonkId);
    counted[known === undefined ? "unknown" : "known"] += 1;
    if (!yes) return;
    const created =
      known === undefined && name !== undefined
        ? await newsletter.sync(subscriber, row)
        : undefined;
    if (created?.ok === false) counted.failed += 1;
    if (known === undefined && !created?.ok) return;
    await store.markSynced(row.email, known ?? created?.listmonkId, new Date());
    counted.done += 1;
  };

  const errors = new Set<string>();
  for await (const row of waitingRows(store)) {
    counted.waiting += 1;
    try {
      await syncOne(row);
    } catch (error) {
      counted.failed += 1;
      errors.add(error instanceof Error ? error.message : String(error));
    }
  }
  return { text: report(counted, { yes, name }, [...errors]), failed: counted.failed };
}

async function* waitingRows(store: SignupStore): AsyncGenerator<StoredSignup> {
  let after = "";
  for (;;) {
    const rows = await store.list({ after, limit: PAGE_SIZE, waiting: true });
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.email;
  }
}

const attributesOf = ({ ctaSource, referral, referralOther }: StoredSignup) => ({
  ctaSource,
  ...(referral !== undefined && { referral }),
  ...(referralOther !== undefined && { referralOther }),
});

function report(
  counted: Readonly<Record<"waiting" | "known" | "unknown" | "done" | "failed", number>>,
  { yes, name }: SyncOptions,
  errors: readonly string[],
): string {
  const { waiting, known, unknown, done, failed } = counted;
  const lines = [
    `waiting: ${waiting}`,
    `in listmonk already: ${known}`,
    `not in listmonk: ${unknown}`,
  ];
  if (yes) lines.push(`subscribed: ${done}`);
  if (failed > 0) lines.push(`failed: ${failed}`, ...errors);
  if (name === undefined && unknown > 0) {
    lines.push("those that listmonk does not have need a name: --name TEXT creates them with it");
  }
  if (!yes && waiting > 0) {
    const would = known + (name === undefined ? 0 : unknown);
    lines.push(`nothing was done; with --yes ${would} would be subscribed`);
  }
  return `${lines.join("\n")}\n`;
}
