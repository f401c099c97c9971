import * as v from "valibot";
import { visibleText } from "../../../src/text.ts";
import { NewsletterError } from "../errors.ts";
import { listSpellings } from "../spellings.ts";
import {
  type Answer,
  CreatedSchema,
  type ExistingSubscriber,
  FoundManySchema,
  FoundSchema,
  readAnswer,
  readList,
  type Session,
  unexpectedAnswer,
} from "./listmonk-client.ts";
import type { Subscriber, SyncState } from "./newsletter.ts";

export interface TargetList {
  readonly id: number;
  readonly preconfirm: boolean;
}

/**
 * Brings an address to a list of listmonk by its API. The data of an existing subscriber is never
 * overwritten, since nobody has proved to own the address; an unsubscribed person stays unsubscribed.
 *
 * A stored address makes the same calls as every other: the number of an earlier sync saves no search.
 *
 * @returns listmonk's number for the subscriber.
 * @throws {NewsletterError} when the list does not have the address in the end.
 */
export async function subscribe(
  session: Session,
  subscriber: Subscriber,
  list: TargetList,
  { synced }: SyncState,
): Promise<number> {
  const existing = () =>
    subscribeExisting(session, subscriber, list, { synced, listmonkId: undefined });
  // The last look finds a subscriber that somebody else has created meanwhile.
  const id = (await existing()) ?? (await create(session, subscriber, list)) ?? (await existing());
  if (id !== undefined) return id;
  throw new NewsletterError("listmonk has the address, but does not find it");
}

/** @returns listmonk's number for the subscriber, undefined when it does not have the address. */
export async function subscribeExisting(
  session: Session,
  subscriber: Subscriber,
  list: TargetList,
  { synced, listmonkId }: SyncState,
): Promise<number | undefined> {
  const existing = await findSubscriber(session, subscriber.email, listmonkId);
  if (existing) await completeSubscriber(session, existing, subscriber, { list, synced });
  return existing?.id;
}

/** @returns undefined when there is a subscriber with this address. */
async function create(
  session: Session,
  { email, name, attributes }: Subscriber,
  { id, preconfirm }: TargetList,
): Promise<number | undefined> {
  const answer = await session.call({
    method: "POST",
    path: "/api/subscribers",
    body: {
      email,
      name,
      status: "enabled",
      lists: [id],
      attribs: attributes,
      ...(preconfirm && { preconfirm_subscriptions: true }),
    },
  });
  if (answer.status === 409) return undefined;
  if (answer.status === 400) throw rejection(answer, name);
  const { data } = readAnswer(CreatedSchema, answer);
  if (data.lists.some((list) => list.id === id)) return data.id;
  throw new NewsletterError(
    `listmonk put a new subscriber on no list: check that list ${id} exists and that the API user may manage it`,
  );
}

/** listmonk's reason, such as a blocked domain, unless it may name the person. */
function rejection({ body }: Answer, name: string): NewsletterError {
  const { success, output } = v.safeParse(v.object({ message: v.string() }), body);
  const reason = success ? visibleText(output.message.slice(0, 200)) : "";
  const isPersonal = reason.includes("@") || reason.includes(name);
  const words = reason === "" || isPersonal ? "" : `: ${reason}`;
  return new NewsletterError(`listmonk rejects the address for good${words}`, "rejected");
}

/**
 * Finds a subscriber, by any spelling of the address: to listmonk the other spelling of a domain is
 * another person, who may have unsubscribed.
 *
 * @param knownId the number that listmonk gave the address at an earlier sync.
 */
export async function findSubscriber(
  session: Session,
  email: string,
  knownId: number | undefined,
): Promise<ExistingSubscriber | undefined> {
  const spellings = listSpellings(email);
  const known = knownId === undefined ? undefined : await byId(session, knownId);
  return known && isOneOf(spellings, known.email) ? known : await bySearch(session, spellings);
}

const isOneOf = (spellings: readonly string[], text: string): boolean =>
  spellings.includes(text.toLowerCase());

async function byId(session: Session, id: number): Promise<ExistingSubscriber | undefined> {
  const answer = await session.lookUp(`/api/subscribers/${id}`);
  // listmonk's answer for an unknown subscriber.
  if (answer.status === 400) return undefined;
  return readAnswer(FoundSchema, answer).data;
}

/** The search also matches names, and a name may be anybody's address: there may be many pages. */
async function bySearch(
  session: Session,
  spellings: readonly string[],
): Promise<ExistingSubscriber | undefined> {
  const search = spellings.map(exactPattern).join("|");
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ search, page: String(page), per_page: String(PAGE_SIZE) });
    const answer = await session.lookUp(`/api/subscribers?${query}`);
    const { results, total } = readAnswer(FoundManySchema, answer).data;
    const found = results.find((row) => isOneOf(spellings, row.email));
    const isIgnored = results.some(
      ({ email, name }) => !isOneOf(spellings, email) && !isOneOf(spellings, name),
    );
    // It hides who has unsubscribed.
    if (isIgnored) {
      throw new NewsletterError(
        "listmonk ignores a search, as versions before 5 do: nobody is subscribed until it is updated",
      );
    }
    if (found) return found;
    if (results.length === 0 || page * PAGE_SIZE >= total) return undefined;
  }
}

const PAGE_SIZE = 100;

/** A regular expression for PostgreSQL that matches one text only, in any letter case. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;

/** Somebody unsubscribed, disabled or blocklisted is left alone. */
async function completeSubscriber(
  session: Session,
  existing: ExistingSubscriber,
  { attributes }: Subscriber,
  { list, synced }: { readonly list: TargetList; readonly synced: boolean },
): Promise<void> {
  const { id, status, attribs, lists } = existing;
  const on = lists.find((one) => one.id === list.id);
  if (status !== "enabled" || on?.subscription_status === "unsubscribed") return;
  const missing = Object.entries(attributes).filter(([key]) => !Object.hasOwn(attribs, key));
  // An interrupted sync may have put the person on the list without a mail.
  const mayNeedMail = !on || (!synced && on.subscription_status === "unconfirmed");
  const calls: Promise<void>[] = [];
  let isDoubleOptIn = false;
  // Asked each time, since the operator may change the list; beside the others, it takes no time.
  const ask = async () => {
    isDoubleOptIn = (await readList(session, list.id)).optin === "double";
  };
  if (mayNeedMail) calls.push(ask());
  if (!on) calls.push(addToList(session, id, list.id));
  if (missing.length > 0) calls.push(addAttributes(session, id, missing));
  // All end before the sync does, also when one fails.
  for (const call of await Promise.allSettled(calls)) {
    if (call.status === "rejected") throw call.reason;
  }
  // The mail comes last: a sync that fails after it would be repeated, and mail again.
  if (isDoubleOptIn) await askToConfirm(session, id);
}

async function askToConfirm(session: Session, id: number): Promise<void> {
  try {
    const call = { method: "POST", path: `/api/subscribers/${id}/optin`, body: {} } as const;
    const answer = await session.call(call);
    if (answer.status !== 200) throw unexpectedAnswer(answer);
  } catch (error) {
    // listmonk answers when the mail is sent: a repeat would mail once more.
    if (!(error instanceof NewsletterError && error.kind === "late")) throw error;
  }
}

/** Sends no `status`, which would re-subscribe a person who unsubscribes at this moment. */
async function addToList(session: Session, id: number, listId: number): Promise<void> {
  const body = { ids: [id], action: "add", target_list_ids: [listId] };
  const answer = await session.call({ method: "PUT", path: "/api/subscribers/lists", body });
  if (answer.status !== 200) throw unexpectedAnswer(answer);
}

async function addAttributes(
  session: Session,
  id: number,
  missing: readonly (readonly [string, string])[],
): Promise<void> {
  const answer = await session.call({
    method: "PATCH",
    path: `/api/subscribers/${id}`,
    body: {
      attribs: Object.fromEntries(missing),
      // Without these two, listmonk writes back what it has read, and undoes a blocklisting meanwhile.
      status: "",
      name: "",
      // Otherwise a person who has not confirmed yet gets another mail.
      preconfirm_subscriptions: true,
    },
  });
  // Before listmonk 6.1 there is no PATCH, and its PUT takes people off lists.
  if (![200, 404, 405].includes(answer.status)) throw unexpectedAnswer(answer);
}
