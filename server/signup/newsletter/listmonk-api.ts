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

export interface SyncResult {
  /** Whether the address is subscribed, or must not be. */
  readonly ok: boolean;
  /** Why it failed, without personal data. */
  readonly failure?: string;
  /** Whether a retry would fail too, because listmonk does not accept the address. */
  readonly rejected?: boolean;
  /** Whether it needs a name, and we have none. */
  readonly needsName?: boolean;
}

export interface Subscriber {
  readonly email: string;
  /** Required to create a subscriber. `signups sync` may not have one. */
  readonly name: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

export type ListmonkApi = ReturnType<typeof listmonkApi>;

export function listmonkApi(config: NewsletterConfig) {
  const openSession = listmonkClient(config);
  let asksToConfirm: boolean | undefined;
  return {
    /**
     * Puts an address on the list. It never throws.
     *
     * @param wasSynced whether an earlier sync succeeded.
     */
    async sync(subscriber: Subscriber, wasSynced: boolean): Promise<SyncResult> {
      try {
        await subscribe(openSession(), subscriber, config, wasSynced);
        return { ok: true };
      } catch (error) {
        const kind = error instanceof NewsletterError ? error.kind : undefined;
        const failure = redactedMessage(error);
        return {
          ok: false,
          failure,
          rejected: kind === "rejected",
          needsName: kind === "needs-name",
        };
      }
    },
    /**
     * Deletes an address.
     *
     * @returns the IDs of its subscribers: one for each spelling, or none.
     * @throws {NewsletterError} if listmonk fails.
     */
    async remove(email: string): Promise<readonly number[]> {
      const session = openSession();
      const ids = (await findSubscribers(session, email)).map(({ id }) => id);
      for (const id of ids) await session.call("DELETE", `/api/subscribers/${id}`);
      return ids;
    },
    /** Whether new subscribers must confirm their address; undefined until a check succeeds. */
    asksToConfirm: () => asksToConfirm,
    /** Finds errors of the configuration, for the operator. It never throws. */
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
 * Puts an address on the list. It never overwrites the data of an existing subscriber, because the
 * caller may not own the address, and never re-subscribes anyone.
 *
 * Every address makes the same calls, known or not: their time must not reveal which ones we know.
 *
 * @throws {NewsletterError} if the address is not on the list.
 */
async function subscribe(
  session: Session,
  subscriber: Subscriber,
  config: NewsletterConfig,
  wasSynced: boolean,
): Promise<void> {
  const { listId } = config;
  const completeExisting = async (): Promise<boolean> => {
    const found = await findSubscribers(session, subscriber.email);
    // An unsubscription under one spelling of the address applies to the other.
    const optedOut = found.find(
      ({ status, lists }) =>
        status !== "enabled" ||
        lists.some((list) => list.id === listId && list.subscription_status === "unsubscribed"),
    );
    const [first] = found;
    if (first && !optedOut)
      await completeSubscriber(session, first, subscriber, { listId, wasSynced });
    return first !== undefined;
  };
  if (await completeExisting()) return;
  if (await create(session, subscriber, config)) return;
  // It was created in the meantime.
  if (await completeExisting()) return;
  throw new NewsletterError("listmonk has the address, but does not find it");
}

export const NEEDS_NAME =
  "listmonk does not have the address, and its name is not stored: --subscriber-name NAME creates it";

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const CreatedSchema = v.object({ data: v.object({ id, lists: v.array(v.object({ id })) }) });

/** @returns false if there is already a subscriber with this address. */
async function create(
  session: Session,
  { email, name, attributes }: Subscriber,
  { listId, preconfirm }: NewsletterConfig,
): Promise<boolean> {
  if (name === undefined) throw new NewsletterError(NEEDS_NAME, "needs-name");
  const body = { email, name, status: "enabled", lists: [listId], attribs: attributes };
  const confirmed = preconfirm && { preconfirm_subscriptions: true };
  const attempt = { ...body, ...confirmed };
  const response = await session.call("POST", "/api/subscribers", attempt, [400, 409]);
  if (response.status === 409) return false;
  if (response.status === 400) throw rejection(response, name);
  const { data } = parseResponse(CreatedSchema, response);
  if (data.lists.some((list) => list.id === listId)) return true;
  throw new NewsletterError(
    `listmonk put a new subscriber on no list: check that list ${listId} exists and that the API user may manage it`,
  );
}

/** Quotes listmonk's reason, such as a blocked domain, unless it contains personal data. */
function rejection({ body }: ListmonkResponse, name: string): NewsletterError {
  const { success, output } = v.safeParse(v.object({ message: v.string() }), body);
  const reason = success ? output.message : "";
  const isPersonal = reason.includes("@") || reason.toLowerCase().includes(name.toLowerCase());
  const quoted = reason === "" || isPersonal ? "" : `: ${escapeText(reason.slice(0, 200))}`;
  return new NewsletterError(`listmonk does not accept the address${quoted}`, "rejected");
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

/** listmonk's maximum. */
const MAX_PAGE_SIZE = "50";

/**
 * Finds the subscribers for every spelling of the address: listmonk treats them as different people,
 * and one of them may have unsubscribed.
 */
async function findSubscribers(session: Session, email: string) {
  const spellings = listAddressVariants(email);
  const isTheirs = (text: string): boolean => spellings.includes(text.toLowerCase());
  const search = spellings.map(exactPattern).join("|");
  const response = await session.search(new URLSearchParams({ search, per_page: MAX_PAGE_SIZE }));
  const { results, total } = parseResponse(FoundSchema, response).data;
  // The search also matches names, and a name may look like an address.
  if (results.some((row) => !isTheirs(row.email) && !isTheirs(row.name))) {
    // We could miss an unsubscription.
    throw new NewsletterError(
      "listmonk ignores searches, as versions before 5 do: update it to subscribe people",
    );
  }
  const found = results.filter((row) => isTheirs(row.email));
  if (found.length > 0 || total <= results.length) return found;
  throw new NewsletterError("listmonk has too many subscribers named like the address");
}

/** A regular expression for PostgreSQL that matches only this string, in any case. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;

/** Puts an existing subscriber on the list, and adds missing attributes. */
async function completeSubscriber(
  session: Session,
  { id, attribs, lists }: v.InferOutput<typeof SubscriberSchema>,
  { attributes }: Subscriber,
  { listId, wasSynced }: { readonly listId: number; readonly wasSynced: boolean },
): Promise<void> {
  const on = lists.find((list) => list.id === listId);
  const missing = Object.entries(attributes).filter(([key]) => !Object.hasOwn(attribs, key));
  // An interrupted sync may have subscribed the person without sending the opt-in message.
  const mayNeedMail = !on || (!wasSynced && on.subscription_status === "unconfirmed");
  const calls = [
    // Not cached, because the operator may change the list. It runs in parallel.
    mayNeedMail ? fetchList(session, listId) : undefined,
    // No `status`: it would re-subscribe a person who is just unsubscribing.
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
          // Without these two, listmonk writes back old values, and could undo a concurrent blocklisting.
          status: "",
          name: "",
          // Otherwise an unconfirmed person gets a second opt-in message.
          preconfirm_subscriptions: true,
        },
        // Before 6.1 there is no PATCH, and PUT removes people from lists.
        [404, 405],
      ),
  ] as const;
  // Wait for all calls, even if one fails.
  await Promise.allSettled(calls);
  const [list] = await Promise.all(calls);
  if (list?.optin !== "double") return;
  // Last, because a failure after it would send the message again in the next attempt.
  await session.call("POST", `/api/subscribers/${id}/optin`, {}).catch((error: unknown) => {
    // listmonk responds after sending: after a timeout, a retry would send a second message.
    if (!(error instanceof NewsletterError && error.kind === "late")) throw error;
  });
}

const ListSchema = v.object({ data: v.object({ optin: v.string() }) });

async function fetchList(session: Session, listId: number) {
  const response = await session.call("GET", `/api/lists/${listId}`, undefined, [400, 404]);
  if (response.status === 200) return parseResponse(ListSchema, response).data;
  throw new NewsletterError(`listmonk has no list ${listId}: check LISTMONK_LIST_ID`);
}
