import * as v from "valibot";
import { SyncFailure } from "../errors.ts";
import type { Subscriber } from "../model.ts";
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

/** A regular expression of PostgreSQL that matches one text and nothing else, case apart. */
export const exactPattern = (text: string): string =>
  `^${text.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}$`;

/**
 * Finds whoever has an address.
 *
 * @param email lower-cased.
 * @param knownId the number that listmonk gave the address once.
 */
async function findSubscriber(
  session: Session,
  email: string,
  knownId: number | undefined,
): Promise<Existing | undefined> {
  const known = knownId === undefined ? undefined : await byId(session, knownId);
  return known && isSame(known.email, email) ? known : await bySearch(session, email);
}

const isSame = (text: string, email: string): boolean => text.toLowerCase() === email;

async function byId(session: Session, id: number): Promise<Existing | undefined> {
  const answer = await session.lookUp(`/api/subscribers/${id}`);
  // So listmonk says that there is no such subscriber.
  if (answer.status === 400) return undefined;
  return read(FoundSchema, answer).data;
}

/** The search goes over names as well, and anybody may call themselves what they like. */
async function bySearch(session: Session, email: string): Promise<Existing | undefined> {
  const rows = await rowsOf(session, { search: exactPattern(email) });
  const found = rows.find((row) => isSame(row.email, email));
  const isIgnored = rows.some((row) => !isSame(row.email, email) && !isSame(row.name, email));
  return !found && isIgnored ? await byQuery(session, email) : found;
}

/** Before listmonk 5.0, which ignores a search, and for which alone a query needs no permission. */
async function byQuery(session: Session, email: string): Promise<Existing | undefined> {
  const literal = `'${email.replaceAll("'", "''")}'`;
  const rows = await rowsOf(session, { query: `LOWER(subscribers.email)=${literal}` });
  return rows.find((row) => isSame(row.email, email));
}

async function rowsOf(
  session: Session,
  query: Readonly<Record<string, string>>,
): Promise<readonly Existing[]> {
  const parameters = new URLSearchParams({ ...query, per_page: "100" });
  const answer = await session.lookUp(`/api/subscribers?${parameters}`);
  return read(FoundManySchema, answer).data.results;
}

/** The list that people are put on. */
export interface TargetList {
  readonly id: number;
  readonly preconfirm: boolean;
  /** Asks a person who was added to it to confirm, where the list wants that. */
  readonly askToConfirm: (session: Session, subscriberId: number) => Promise<void>;
}

/**
 * Brings an address to a list of listmonk by its API. What an existing subscriber has is never
 * overwritten, for nobody has proved to own the address, and who has unsubscribed stays so.
 *
 * @returns listmonk's number for the subscriber.
 * @throws {SyncFailure} when the list does not have the address in the end.
 */
export async function subscribe(
  session: Session,
  subscriber: Subscriber,
  list: TargetList,
  knownId: number | undefined,
): Promise<number> {
  const created = await create(session, subscriber, list);
  if (created !== undefined) return created;

  const existing = await findSubscriber(session, subscriber.email, knownId);
  if (existing) {
    await complete(session, existing, subscriber, list);
    return existing.id;
  }
  // It may have been deleted in between.
  const again = await create(session, subscriber, list);
  if (again !== undefined) return again;
  throw new SyncFailure("listmonk has the address, but does not find it");
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
  throw new SyncFailure(
    `listmonk put a new subscriber on no list: check that list ${id} exists and that the API user may manage it`,
  );
}

/** Of two unique indexes listmonk reports one as a conflict; the other meets rows in mixed case. */
const isDuplicate = ({ status, body }: Answer): boolean =>
  status === 409 ||
  (status === 500 && v.is(ErrorSchema, body) && body.message.includes("idx_subs_email"));

async function complete(
  session: Session,
  existing: Existing,
  { attributes }: Subscriber,
  list: TargetList,
): Promise<void> {
  if (existing.status !== "enabled") return;
  const subscription = existing.lists.find(({ id }) => id === list.id);
  if (subscription?.subscription_status === "unsubscribed") return;
  if (!subscription) {
    await addToList(session, existing.id, list.id);
    await list.askToConfirm(session, existing.id);
  }
  await addAttributes(session, existing, attributes);
}

/** Without a `status`, which would re-subscribe whoever unsubscribes at this moment. */
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
      // Left out, they would be written back as they were read, over a blocklisting meanwhile.
      status: "",
      name: "",
      // Without it, everybody who has yet to confirm gets another mail.
      preconfirm_subscriptions: true,
    },
  });
  // Before listmonk 6.1 there is no PATCH, and its PUT takes people off lists.
  if (![200, 404, 405].includes(answer.status)) throw unexpected(answer);
}
