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
  const oneLook = singleFlight<void>();
  let foundUntil = 0;

  /** @throws {NewsletterError} when the list is not there, or listmonk cannot say. */
  const requireList = async (): Promise<void> => {
    const answer = await call({ method: "GET", path: "/api/public/lists" });
    const lists = read(PublicListsSchema, answer);
    if (lists.some(({ uuid }) => uuid === listUuid.toLowerCase())) return;
    throw new NewsletterError(
      `listmonk has no public list ${listUuid}: check LISTMONK_LIST_UUID, and that the list is public`,
    );
  };

  const hasList = async (): Promise<void> => {
    if (performance.now() < foundUntil) return;
    await oneLook("", requireList);
    foundUntil = performance.now() + LIST_MS;
  };

  const subscribe = async (email: string, name: string): Promise<void> => {
    const body = { email, name, list_uuids: [listUuid] };
    const answer = await call({ method: "POST", path: "/api/public/subscription", body });
    if (answer.status !== 200) throw unexpected(answer);
  };

  return {
    async sync({ email, name }, { synced, listmonkId }) {
      try {
        await hasList();
        if (!synced) await subscribe(email, name);
        return { ok: true, listmonkId };
      } catch (error) {
        foundUntil = 0;
        const failure = redactedMessage(error);
        warn(failure);
        return { ok: false, listmonkId, failure };
      }
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
