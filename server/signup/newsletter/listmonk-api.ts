import type { Newsletter } from "../ports.ts";
import { type Fetch, httpClient, unexpected } from "./http-client.ts";
import { listInfo } from "./list-info.ts";
import { openSession, type Session } from "./session.ts";
import { singleFlight } from "./single-flight.ts";
import { slots } from "./slots.ts";
import { subscribe } from "./subscribe.ts";
import { tellable } from "./sync-failure.ts";

export interface ListmonkApiOptions {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  readonly listId: number;
  /** Whether new people count as confirmed without a mail. */
  readonly preconfirm: boolean;
  /** Look-ups under way at a time; 4 when left out. */
  readonly maxLookups?: number;
  readonly fetch?: Fetch;
  /** Told why a sync failed, in words that name no person. */
  readonly warn?: (problem: string) => void;
}

/**
 * listmonk by its API, with the credentials of an API user. Who has unsubscribed or is blocklisted
 * is left alone; of who is there already, only attributes that are missing are added.
 */
export function listmonkApi(options: ListmonkApiOptions): Newsletter {
  const { url, user, token, listId, preconfirm, maxLookups = 4, warn = () => {} } = options;
  const authorization = { Authorization: `token ${user}:${token}` };
  const send = httpClient(url, authorization, options.fetch ?? fetch);
  const lookUps = slots(maxLookups);
  const onePerAddress = singleFlight<Awaited<ReturnType<Newsletter["sync"]>>>();
  const info = listInfo(listId);

  /** The person is on the list whether or not this mail goes out. */
  const askToConfirm = async (session: Session, subscriberId: number) => {
    try {
      if (!(await info.isDoubleOptIn(session))) return;
      const path = `/api/subscribers/${subscriberId}/optin`;
      const answer = await session.call({ method: "POST", path, body: {} });
      if (answer.status !== 200) throw unexpected(answer);
    } catch (error) {
      warn(tellable(error));
    }
  };
  const list = { id: listId, preconfirm, askToConfirm };

  return {
    sync: (subscriber, { listmonkId }) =>
      onePerAddress(subscriber.email, async () => {
        try {
          const session = openSession(send, lookUps);
          return { ok: true, listmonkId: await subscribe(session, subscriber, list, listmonkId) };
        } catch (error) {
          warn(tellable(error));
          return { ok: false, listmonkId };
        }
      }),
    check: () => info.warnings(openSession(send, lookUps)).catch((error) => [tellable(error)]),
  };
}
