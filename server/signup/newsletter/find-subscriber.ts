import { type Existing, FoundManySchema, FoundSchema, read } from "./answers.ts";
import { exactPattern } from "./exact-pattern.ts";
import type { Session } from "./session.ts";

/**
 * Finds whoever has an address.
 *
 * @param email lower-cased.
 * @param knownId the number that listmonk gave the address once.
 */
export async function findSubscriber(
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
