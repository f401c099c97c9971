import { redactedMessage } from "../errors.ts";
import type { Newsletter } from "../model.ts";
import { singleFlight } from "./concurrency.ts";
import {
  CALL_MS,
  type Call,
  type Fetch,
  httpClient,
  PublicListsSchema,
  read,
  unexpected,
} from "./listmonk-client.ts";

interface ListmonkPublicOptions {
  readonly url: string;
  readonly listUuid: string;
  readonly fetch?: Fetch;
  /** Takes the reason why a sync failed, which names no person. */
  readonly warn: (problem: string) => void;
}

/** A caller may hold a stored state from before the sync for this long. */
const RECENT_MS = 10_000;

/**
 * listmonk by the API of its public form, which needs no credentials and takes no attributes. Each
 * call re-subscribes and mails again, so it is called once per address.
 */
export function listmonkPublic(options: ListmonkPublicOptions): Newsletter {
  const { url, listUuid, warn } = options;
  const send = httpClient(url, {}, options.fetch ?? fetch);
  const call = (what: Call) => send(what, AbortSignal.timeout(CALL_MS));
  const onePerAddress = singleFlight<boolean>();
  const recent = new Set<string>();

  const subscribe = async (email: string, name: string): Promise<boolean> => {
    try {
      const body = { email, name, list_uuids: [listUuid] };
      const answer = await call({ method: "POST", path: "/api/public/subscription", body });
      if (answer.status !== 200) throw unexpected(answer);
      recent.add(email);
      setTimeout(() => recent.delete(email), RECENT_MS).unref();
      return true;
    } catch (error) {
      warn(redactedMessage(error));
      return false;
    }
  };

  return {
    async sync({ email, name }, { synced, listmonkId }) {
      const isDone = synced || recent.has(email);
      const ok = isDone || (await onePerAddress(email, () => subscribe(email, name)));
      return { ok, listmonkId };
    },
    async check() {
      try {
        const answer = await call({ method: "GET", path: "/api/public/lists" });
        const lists = read(PublicListsSchema, answer);
        const isThere = lists.some(({ uuid }) => uuid === listUuid.toLowerCase());
        return isThere ? [RESUBSCRIBES] : [RESUBSCRIBES, notThere(listUuid)];
      } catch (error) {
        return [RESUBSCRIBES, redactedMessage(error)];
      }
    },
  };
}

const RESUBSCRIBES =
  "Without API credentials, listmonk 6.2 subscribes people again who have unsubscribed: set LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID";

/** For an unknown UUID listmonk answers 200 and puts the person on no list. */
const notThere = (uuid: string): string =>
  `listmonk has no public list ${uuid}: check LISTMONK_LIST_UUID, and that the list is public`;
