import * as v from "valibot";
import { escapeText } from "../../../src/text.ts";
import { listAddressVariants } from "../address-variants.ts";
import type { NewsletterConfig } from "../signup-config.ts";
import { NewsletterError, redactedMessage } from "../signup-errors.ts";
import {
  type ListmonkResponse,
  listmonkClient,
  parseResponse,
  type Session,
} from "./listmonk-session.ts";

/** The state of a stored address in the newsletter. */
export interface SyncState {
  readonly synced: boolean;
  /** listmonk's number for the subscriber. */
  readonly listmonkId: number | undefined;
}

/** The end of a sync. */
export interface SyncResult {
  /** True when the newsletter has the address, or rightly does not have it. */
  readonly ok: boolean;
  readonly listmonkId?: number | undefined;
  /** Why it failed, in words that name no person. */
  readonly failure?: string;
  /** True when a repeat would fail too: the newsletter takes no such address. */
  readonly rejected?: boolean;
}

export interface Subscriber {
  readonly email: string;
  /** Undefined for an operator who has none: then nobody is created. */
  readonly name: string | undefined;
  /** Flat texts for the subscriber's attributes. */
  readonly attributes: Readonly<Record<string, string>>;
}

export type ListmonkApi = ReturnType<typeof listmonkApi>;

/** listmonk by its API, with the credentials of an API user. */
export function listmonkApi(config: NewsletterConfig) {
  const openSession = listmonkClient(config);
  let asksToConfirm: boolean | undefined;
  return {
    /**
     * Brings an address to the list. It never throws.
     *
     * @param state what is stored of an earlier sync.
     */
    async sync(subscriber: Subscriber, state: Pick<SyncState, "synced">): Promise<SyncResult> {
      try {
        const listmonkId = await subscribe(openSession(), subscriber, config, state);
        return { ok: true, listmonkId };
      } catch (error) {
        const rejected = error instanceof NewsletterError && error.kind === "rejected";
        return { ok: false, failure: redactedMessage(error), rejected };
      }
    },
    /**
     * Deletes an address.
     *
     * @returns its numbers: listmonk may have it in two spellings, or not at all.
     * @throws {NewsletterError} when listmonk fails.
     */
    async remove(email: string): Promise<readonly number[]> {
      const session = openSession();
      const ids = (await findSubscribers(session, email)).map(({ id }) => id);
      for (const id of ids) await session.call("DELETE", `/api/subscribers/${id}`);
      return ids;
    },
    /** Whether new people get a message to confirm their address; undefined before a good check. */
    asksToConfirm: () => asksToConfirm,
    /** Finds errors of the set-up, in words for the operator; it never throws. */
    async check(): Promise<readonly string[]> {
      try {
        const session = openSession();
        const { optin } = await fetchList(session, config.listId);
        asksToConfirm = optin === "double" && !config.preconfirm;
        await findSubscribers(session, "nobody@example.com");
        return [];
      } catch (error) {
        return [redactedMessage(error)];
      }
    },
  };
}

/**
 * Brings an address to the list. The data of an existing subscriber is never overwritten, since
 * nobody has proved to own the address; an unsubscribed person stays unsubscribed.
 *
 * A stored address makes the same calls as every other, so that their time tells nothing: the number
 * of an earlier sync saves no search.
 *
 * @returns listmonk's number for the subscriber.
 * @throws {NewsletterError} when the list does not have the address in the end.
 */
async function subscribe(
  session: Session,
  subscriber: Subscriber,
  config: NewsletterConfig,
  { synced }: Pick<SyncState, "synced">,
): Promise<number> {
  const { listId } = config;
  const existing = async () => {
    const found = await findSubscribers(session, subscriber.email);
    // Who wants no mail under one spelling of the address gets none under the other.
    const wantsNone = found.find(
      ({ status, lists }) =>
        status !== "enabled" ||
        lists.some((list) => list.id === listId && list.subscription_status === "unsubscribed"),
    );
    const [first] = found;
    if (first && !wantsNone)
      await completeSubscriber(session, first, subscriber, { listId, synced });
    return (wantsNone ?? first)?.id;
  };
  // The last look finds a subscriber that somebody else has created meanwhile.
  const id =
    (await existing()) ?? (await create(session, subscriber, config)) ?? (await existing());
  if (id !== undefined) return id;
  throw new NewsletterError("listmonk has the address, but does not find it");
}

/** The failure of an address that has to be created, without a name. */
export const NEEDS_NAME =
  "listmonk does not have the address, and its name is not stored: --subscriber-name NAME creates it";

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const CreatedSchema = v.object({ data: v.object({ id, lists: v.array(v.object({ id })) }) });

/** @returns undefined when there is a subscriber with this address. */
async function create(
  session: Session,
  { email, name, attributes }: Subscriber,
  { listId, preconfirm }: NewsletterConfig,
): Promise<number | undefined> {
  if (name === undefined) throw new NewsletterError(NEEDS_NAME);
  const body = { email, name, status: "enabled", lists: [listId], attribs: attributes };
  const confirmed = preconfirm && { preconfirm_subscriptions: true };
  const answer = await session.call(
    "POST",
    "/api/subscribers",
    { ...body, ...confirmed },
    [400, 409],
  );
  if (answer.status === 409) return undefined;
  if (answer.status === 400) throw rejection(answer, name);
  const { data } = parseResponse(CreatedSchema, answer);
  if (data.lists.some((list) => list.id === listId)) return data.id;
  throw new NewsletterError(
    `listmonk put a new subscriber on no list: check that list ${listId} exists and that the API user may manage it`,
  );
}

/** listmonk's reason, such as a blocked domain, unless it may name the person. */
function rejection({ body }: ListmonkResponse, name: string): NewsletterError {
  const { success, output } = v.safeParse(v.object({ message: v.string() }), body);
  const reason = success ? output.message : "";
  const isPersonal = reason.includes("@") || reason.toLowerCase().includes(name.toLowerCase());
  const words = reason === "" || isPersonal ? "" : `: ${escapeText(reason.slice(0, 200))}`;
  return new NewsletterError(`listmonk rejects the address for good${words}`, "rejected");
}

const SubscriberSchema = v.object({
  id,
  email: v.string(),
  name: v.string(),
  /** enabled, disabled or blocklisted. */
  status: v.string(),
  attribs: v.nullish(v.record(v.string(), v.unknown()), {}),
  lists: v.array(v.object({ id, subscription_status: v.string() })),
});

const FoundSchema = v.object({
  data: v.object({ results: v.array(SubscriberSchema), total: v.optional(v.number(), 0) }),
});

/** listmonk gives no more at a time. */
const MAX_PAGE_SIZE = "50";

/**
 * Finds the subscribers with any spelling of the address: to listmonk the other spelling of a domain
 * is another person, who may have unsubscribed.
 */
async function findSubscribers(session: Session, email: string) {
  const spellings = listAddressVariants(email);
  const isTheirs = (text: string): boolean => spellings.includes(text.toLowerCase());
  const search = spellings.map(exactPattern).join("|");
  const answer = await session.search(new URLSearchParams({ search, per_page: MAX_PAGE_SIZE }));
  const { results, total } = parseResponse(FoundSchema, answer).data;
  // The search also matches names, and a name may be anybody's address.
  if (results.some((row) => !isTheirs(row.email) && !isTheirs(row.name))) {
    // It hides who has unsubscribed.
    throw new NewsletterError(
      "listmonk ignores a search, as versions before 5 do: nobody is subscribed until it is updated",
    );
  }
  const found = results.filter((row) => isTheirs(row.email));
  if (found.length > 0 || total <= results.length) return found;
  throw new NewsletterError("listmonk has too many people whose name is the address");
}

/** A regular expression for PostgreSQL that matches one text only, in any letter case. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;

/** Puts a subscriber on the list, who has not unsubscribed. */
async function completeSubscriber(
  session: Session,
  { id, attribs, lists }: v.InferOutput<typeof SubscriberSchema>,
  { attributes }: Subscriber,
  { listId, synced }: { readonly listId: number; readonly synced: boolean },
): Promise<void> {
  const on = lists.find((list) => list.id === listId);
  const missing = Object.entries(attributes).filter(([key]) => !Object.hasOwn(attribs, key));
  // An interrupted sync may have put the person on the list without a mail.
  const mayNeedMail = !on || (!synced && on.subscription_status === "unconfirmed");
  const calls = [
    // Asked each time, since the operator may change the list; beside the others, it takes no time.
    mayNeedMail ? fetchList(session, listId) : undefined,
    // Without `status`, which would re-subscribe a person who unsubscribes at this moment.
    !on &&
      session.call("PUT", "/api/subscribers/lists", {
        ids: [id],
        action: "add",
        target_list_ids: [listId],
      }),
    missing.length > 0 &&
      session.call(
        "PATCH",
        `/api/subscribers/${id}`,
        {
          attribs: Object.fromEntries(missing),
          // Without these two, listmonk writes back what it has read, and undoes a blocklisting meanwhile.
          status: "",
          name: "",
          // Otherwise a person who has not confirmed yet gets another mail.
          preconfirm_subscriptions: true,
        },
        // Before listmonk 6.1 there is no PATCH, and its PUT takes people off lists.
        [404, 405],
      ),
  ] as const;
  // All end before the sync does, also when one fails.
  await Promise.allSettled(calls);
  const [list] = await Promise.all(calls);
  if (list?.optin !== "double") return;
  // The mail comes last: a sync that fails after it would be repeated, and mail again.
  await session.call("POST", `/api/subscribers/${id}/optin`, {}).catch((error: unknown) => {
    // listmonk answers when the mail is sent: a repeat would mail once more.
    if (!(error instanceof NewsletterError && error.kind === "late")) throw error;
  });
}

const ListSchema = v.object({ data: v.object({ optin: v.string() }) });

/** The settings of a list. @throws {NewsletterError} also when there is no such list. */
async function fetchList(session: Session, listId: number) {
  const answer = await session.call("GET", `/api/lists/${listId}`, undefined, [400, 404]);
  if (answer.status === 200) return parseResponse(ListSchema, answer).data;
  throw new NewsletterError(`listmonk has no list ${listId}: check LISTMONK_LIST_ID`);
}
