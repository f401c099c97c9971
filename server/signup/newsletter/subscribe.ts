import * as v from "valibot";
import { NewsletterError } from "../errors.ts";
import type { Subscriber, SyncState } from "../model.ts";
import { spellingsOf } from "../spellings.ts";
import {
  type Answer,
  CreatedSchema,
  ErrorSchema,
  type Existing,
  FoundManySchema,
  FoundSchema,
  read,
  type Session,
  unexpected,
} from "./listmonk-client.ts";

export interface TargetList {
  readonly id: number;
  readonly preconfirm: boolean;
  /** Mails a person who is on it, if the list wants a confirmation. */
  readonly askToConfirm: (session: Session, subscriberId: number) => Promise<void>;
}

/**
 * Brings an address to a list of listmonk by its API. The data of an existing subscriber is never
 * overwritten, since nobody has proved to own the address; an unsubscribed person stays unsubscribed.
 *
 * @returns listmonk's number for the subscriber.
 * @throws {NewsletterError} when the list does not have the address in the end.
 */
export async function subscribe(
  session: Session,
  subscriber: Subscriber,
  list: TargetList,
  state: SyncState,
): Promise<number> {
  // To listmonk the other spelling of a domain is another person, who may have unsubscribed.
  const isUnique = spellingsOf(subscriber.email).length === 1;
  const created = isUnique ? await create(session, subscriber, list) : undefined;
  if (created !== undefined) return created;

  const existing = await subscribeExisting(session, subscriber, list, state);
  if (existing !== undefined) return existing;
  // The subscriber may have been deleted meanwhile.
  const again = await create(session, subscriber, list);
  if (again !== undefined) return again;
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
  if (existing) await complete(session, existing, subscriber, { list, synced });
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
  if (isDuplicate(answer)) return undefined;
  const { data } = read(CreatedSchema, answer);
  if (data.lists.some((list) => list.id === id)) return data.id;
  throw new NewsletterError(
    `listmonk put a new subscriber on no list: check that list ${id} exists and that the API user may manage it`,
  );
}

/** listmonk answers 409 for one of its unique indexes only; a mixed-case row violates the other and gives 500. */
const isDuplicate = ({ status, body }: Answer): boolean =>
  status === 409 ||
  (status === 500 && v.is(ErrorSchema, body) && body.message.includes("idx_subs_email"));

/**
 * Finds a subscriber, by any spelling of the address.
 *
 * @param knownId the number that listmonk gave the address at an earlier sync.
 */
export async function findSubscriber(
  session: Session,
  email: string,
  knownId: number | undefined,
): Promise<Existing | undefined> {
  const spellings = spellingsOf(email);
  const known = knownId === undefined ? undefined : await byId(session, knownId);
  if (known && spellings.some((spelling) => isSame(known.email, spelling))) return known;
  for (const spelling of spellings) {
    const found = await bySearch(session, spelling);
    if (found) return found;
  }
  return undefined;
}

const isSame = (text: string, email: string): boolean => text.toLowerCase() === email;

async function byId(session: Session, id: number): Promise<Existing | undefined> {
  const answer = await session.lookUp(`/api/subscribers/${id}`);
  // listmonk's answer for an unknown subscriber.
  if (answer.status === 400) return undefined;
  return read(FoundSchema, answer).data;
}

/** The search also matches names, and a name may be anybody's address: there may be many pages. */
async function bySearch(session: Session, email: string): Promise<Existing | undefined> {
  for (let page = 1; ; page += 1) {
    const search = { search: exactPattern(email), page: String(page) };
    const { results, total } = await pageOf(session, search);
    const found = results.find((row) => isSame(row.email, email));
    if (found) return found;
    const isIgnored = results.some((row) => !isSame(row.name, email));
    if (isIgnored) return await byQuery(session, email);
    if (results.length === 0 || page * PAGE_SIZE >= total) return undefined;
  }
}

/** For listmonk before 5.0, which ignores `search`. Only there a query needs no permission. */
async function byQuery(session: Session, email: string): Promise<Existing | undefined> {
  const literal = `'${email.replaceAll("'", "''")}'`;
  const { results } = await pageOf(session, { query: `LOWER(subscribers.email)=${literal}` });
  return results.find((row) => isSame(row.email, email));
}

const PAGE_SIZE = 100;

async function pageOf(session: Session, query: Readonly<Record<string, string>>) {
  const parameters = new URLSearchParams({ ...query, per_page: String(PAGE_SIZE) });
  const answer = await session.lookUp(`/api/subscribers?${parameters}`);
  return read(FoundManySchema, answer).data;
}

/** A regular expression for PostgreSQL that matches one text only, in any letter case. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;

async function complete(
  session: Session,
  existing: Existing,
  { attributes }: Subscriber,
  { list, synced }: { readonly list: TargetList; readonly synced: boolean },
): Promise<void> {
  if (existing.status !== "enabled") return;
  const on = existing.lists.find(({ id }) => id === list.id);
  if (on?.subscription_status === "unsubscribed") return;
  if (!on) await addToList(session, existing.id, list.id);
  await addAttributes(session, existing, attributes);
  // An interrupted sync may have put them there without a mail. It comes last: what
  // fails after it would be repeated, and mail again.
  if (!on || (!synced && isUnconfirmed(existing, list.id)))
    await list.askToConfirm(session, existing.id);
}

/** True when somebody has yet to confirm a list with double opt-in. */
export const isUnconfirmed = ({ lists }: Existing, listId: number): boolean =>
  lists.some(
    ({ id, subscription_status, optin }) =>
      id === listId && subscription_status === "unconfirmed" && optin !== "single",
  );

/** Without a `status`, which would re-subscribe a person who unsubscribes at this moment. */
async function addToList(session: Session, id: number, listId: number): Promise<void> {
  const body = { ids: [id], action: "add", target_list_ids: [listId] };
  const answer = await session.call({ method: "PUT", path: "/api/subscribers/lists", body });
  if (answer.status !== 200) throw unexpected(answer);
}

async function addAttributes(
  session: Session,
  { id, attribs }: Existing,
  attributes: Subscriber["attributes"],
): Promise<void> {
  const missing = Object.entries(attributes).filter(([key]) => !Object.hasOwn(attribs, key));
  if (missing.length === 0) return;
  const answer = await session.call({
    method: "PATCH",
    path: `/api/subscribers/${id}`,
    body: {
      attribs: Object.fromEntries(missing),
      // If these are left out, listmonk writes back what it read, over a blocklisting meanwhile.
      status: "",
      name: "",
      // Without this a person who has not confirmed yet gets another mail.
      preconfirm_subscriptions: true,
    },
  });
  // Before listmonk 6.1 there is no PATCH, and its PUT takes people off lists.
  if (![200, 404, 405].includes(answer.status)) throw unexpected(answer);
}
