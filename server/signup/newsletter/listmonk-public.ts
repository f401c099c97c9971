import { tellable } from "../errors.ts";
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

export interface ListmonkPublicOptions {
  readonly url: string;
  readonly listUuid: string;
  readonly fetch?: Fetch;
  /** Told why a sync failed, in words that name no person. */
  readonly warn?: (problem: string) => void;
}

/** For so long a caller may still hold a stored state from before the sync. */
const RECENT_MS = 10_000;

const RESUBSCRIBES =
  "Without API credentials, listmonk 6.2 subscribes people again who have unsubscribed: set LISTMONK_API_USER, LISTMONK_API_TOKEN and LISTMONK_LIST_ID";

/**
 * listmonk by the API of its public form, which needs no credentials and takes no attributes. It
 * re-subscribes and mails again with every call, so that it is called once per address.
 */
export function listmonkPublic(options: ListmonkPublicOptions): Newsletter {
  const { url, listUuid, warn = () => {} } = options;
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
      warn(tellable(error));
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
        return [RESUBSCRIBES, tellable(error)];
      }
    },
  };
}

/** It would go unseen: to a UUID that it does not know, listmonk says yes and subscribes nobody. */
const notThere = (uuid: string): string =>
  `listmonk has no public list ${uuid}: check LISTMONK_LIST_UUID, and that the list is public`;
