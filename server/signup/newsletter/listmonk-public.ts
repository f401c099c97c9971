import { NewsletterError, redactedMessage } from "../errors.ts";
import type { Newsletter } from "../model.ts";
import {
  CALL_TIMEOUT_MS,
  type Call,
  type Fetch,
  httpClient,
  PublicListsSchema,
  read,
  singleFlight,
  unexpected,
} from "./listmonk-client.ts";

interface ListmonkPublicOptions {
  readonly url: string;
  readonly listUuid: string;
  readonly fetch?: Fetch;
  /** Takes the reason why a sync failed, which names no person. */
  readonly warn: (problem: string) => void;
}

/** How long a sync is remembered, in ms: a concurrent request may have read the row before it. */
const RECENT_MS = 10_000;

/** How long a found list is trusted, in ms. */
const LIST_MS = 1_000;

/**
 * listmonk by the API of its public form, which needs no credentials and takes no attributes. Each
 * call re-subscribes and mails again, so it is called once per address. Before every signup the
 * list is looked for: listmonk answers 200 also for a list that is missing, and while listmonk
 * is down a known address must look like a new one.
 */
export function listmonkPublic(options: ListmonkPublicOptions): Newsletter {
  const { url, listUuid, warn } = options;
  const send = httpClient(url, {}, options.fetch ?? fetch);
  const call = (what: Call) => send(what, AbortSignal.timeout(CALL_TIMEOUT_MS));
  const onePerAddress = singleFlight<boolean>();
  const oneLook = singleFlight<void>();
  let foundUntil = 0;
  const recent = new Set<string>();

  /** @throws {NewsletterError} when the list is not there, or listmonk cannot say. */
  const requireList = async (): Promise<void> => {
    const answer = await call({ method: "GET", path: "/api/public/lists" });
    const lists = read(PublicListsSchema, answer);
    if (lists.some(({ uuid }) => uuid === listUuid.toLowerCase())) return;
    throw new NewsletterError(
      `listmonk has no public list ${listUuid}: check LISTMONK_LIST_UUID, and that the list is public`,
    );
  };

  const hasList = async (): Promise<boolean> => {
    if (performance.now() < foundUntil) return true;
    try {
      await oneLook("", requireList);
      foundUntil = performance.now() + LIST_MS;
      return true;
    } catch (error) {
      warn(redactedMessage(error));
      return false;
    }
  };

  const subscribe = async (email: string, name: string): Promise<boolean> => {
    try {
      const body = { email, name, list_uuids: [listUuid] };
      const answer = await call({ method: "POST", path: "/api/public/subscription", body });
      if (answer.status !== 200) throw unexpected(answer);
      recent.add(email);
      setTimeout(() => recent.delete(email), RECENT_MS).unref();
      return true;
    } catch (error) {
      foundUntil = 0;
      warn(redactedMessage(error));
      return false;
    }
  };

  return {
    async sync({ email, name }, { synced, listmonkId }) {
      if (!(await hasList())) return { ok: false, listmonkId };
      const isDone = synced || recent.has(email);
      const ok = isDone || (await onePerAddress(email, () => subscribe(email, name)));
      return { ok, listmonkId };
    },
    async check() {
      try {
        await requireList();
        return [RESUBSCRIBES];
      } catch (error) {
        return [RESUBSCRIBES, redactedMessage(error)];
      }
    },
  };
}

const RESUBSCRIBES =
  "Without API credentials, listmonk 6.2 subscribes people again who have unsubscribed: set LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID";
