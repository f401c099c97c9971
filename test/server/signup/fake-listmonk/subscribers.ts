import { type Body, type Book, type Row, shown } from "./book.ts";
import { data, failure } from "./replies.ts";

const isAddress = (email: string | undefined): email is string => /^\S+@\S+$/.test(email ?? "");

/** POST /api/subscribers */
export function create(book: Book, body: Body): Response {
  const { email, status = "enabled", lists = [], preconfirm_subscriptions = false } = body;
  if (!isAddress(email)) return failure(400, "Invalid email.");
  const name = body.name?.trim() || (email.split("@")[0] ?? "");
  if (name.includes("\0")) return failure(500, "Error creating subscriber: invalid byte sequence");
  const taken = book.byEmail(email);
  if (taken && taken.email !== taken.email.toLowerCase()) return mixedCase(500, email);
  if (taken) return failure(409, "E-mail already exists.");
  const fields = { email: email.toLowerCase(), name, status, attribs: body.attribs ?? {} };
  const row = book.add({ ...fields, lists, preconfirm: preconfirm_subscriptions });
  return data(shown(book, row));
}

/** Of two unique indexes, listmonk knows one. */
export const mixedCase = (status: number, email: string): Response =>
  failure(
    status,
    `Error creating subscriber: duplicate key value violates unique constraint "idx_subs_email": Key (lower(email))=(${email}) already exists.`,
  );

/** PUT /api/subscribers/lists */
export function manageLists(book: Book, body: Body): Response {
  const { ids = [], target_list_ids: targets = [], status } = body;
  if (ids.length === 0) return failure(400, "No IDs given.");
  const rows = ids.map((id) => book.rows.get(id));
  const isKnown =
    rows.every((row) => row !== undefined) && targets.every((id) => book.lists.has(id));
  if (!isKnown) return failure(500, "Error updating subscriptions: violates foreign key");
  for (const row of rows) {
    for (const id of targets) {
      if (body.action === "unsubscribe") row?.subscriptions.set(id, "unsubscribed");
      // Without a status, a row that is there stays as it is.
      else row?.subscriptions.set(id, status ?? row.subscriptions.get(id) ?? "unconfirmed");
    }
  }
  return data(true);
}

/** PATCH /api/subscribers/{id}: reads, waits for the database, and writes what it has read. */
export async function patch(book: Book, row: Row, body: Body): Promise<Response> {
  const before = { ...row };
  await Bun.sleep(2);
  // An empty text makes the statement keep the column; one left out is what was read.
  if (body.status !== "") row.status = body.status ?? before.status;
  if (body.name !== "") row.name = body.name ?? before.name;
  if (body.attribs === null) row.attribs = {};
  else row.attribs = { ...before.attribs, ...body.attribs };
  if (!body.preconfirm_subscriptions) book.mail(row);
  return data(shown(book, row));
}
