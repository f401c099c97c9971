import { isDeepStrictEqual } from "node:util";
import { atMostEvery } from "../../at-most-every.ts";
import { NewsletterError, redactedMessage } from "../errors.ts";
import {
  CALL_TIMEOUT_MS,
  type Call,
  type Fetch,
  httpClient,
  PublicListsSchema,
  readAnswer,
  unexpectedAnswer,
} from "./listmonk-client.ts";
import type { Newsletter } from "./newsletter.ts";

interface ListmonkPublicOptions {
  readonly url: string;
  readonly listUuid: string;
  readonly fetch?: Fetch;
}

const LIST_KEPT_MS = 1_000;

/**
 * listmonk by the API of its public form, which needs no credentials and takes no attributes. Each
 * call re-subscribes and mails again, so it is called once per address; after that an empty one takes
 * its place, so that a known address takes as long as a new one. Before every signup the list is
 * looked for: listmonk answers 200 also for a list that is missing.
 */
export function listmonkPublic(options: ListmonkPublicOptions): Newsletter {
  const { url, listUuid } = options;
  const send = httpClient(url, {}, options.fetch ?? fetch);
  const call = (what: Call) => send(what, AbortSignal.timeout(CALL_TIMEOUT_MS));

  /** @throws {NewsletterError} when the list is not there, or listmonk cannot say. */
  const requireList = async (): Promise<void> => {
    const answer = await call({ method: "GET", path: "/api/public/lists" });
    const lists = readAnswer(PublicListsSchema, answer);
    if (lists.some(({ uuid }) => uuid === listUuid.toLowerCase())) return;
    throw new NewsletterError(
      `listmonk has no public list ${listUuid}: check LISTMONK_LIST_UUID, and that the list is public`,
    );
  };

  const lookForList = () => atMostEvery(LIST_KEPT_MS, requireList, 0);
  let hasList = lookForList();

  const post = (body: object) => call({ method: "POST", path: "/api/public/subscription", body });

  /** @throws {NewsletterError} unless listmonk has the wanted status. */
  const submit = async (body: object, status: number): Promise<void> => {
    const answer = await post(body);
    if (answer.status !== status) throw unexpectedAnswer(answer);
  };

  /**
   * True when the form is turned off: listmonk then answers everything in the same way. Neither of
   * these requests subscribes anybody: one names no list, the other no address.
   */
  const isOff = async (): Promise<boolean> => {
    const { body: noList } = await post(EMPTY);
    return isDeepStrictEqual(noList, (await post({ ...EMPTY, list_uuids: [listUuid] })).body);
  };

  return {
    async sync({ email, name }, { synced, listmonkId }) {
      try {
        await hasList();
        if (synced) await submit(EMPTY, 400);
        else await submit({ email, name, list_uuids: [listUuid] }, 200);
        return { ok: true, listmonkId };
      } catch (error) {
        hasList = lookForList();
        return { ok: false, listmonkId, failure: redactedMessage(error) };
      }
    },
    async check() {
      try {
        await requireList();
        return (await isOff()) ? [OFF] : [];
      } catch (error) {
        return [redactedMessage(error)];
      }
    },
  };
}

/** Subscribes nobody. */
const EMPTY = { email: "", name: "", list_uuids: [] };

const OFF =
  "listmonk's public form is turned off, so nobody can be subscribed: turn it on in its settings (General, Enable public subscription page)";
