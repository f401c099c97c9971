/**
 * The stand-in's data, with the effects that a real listmonk 6.2 was seen to have. In its code:
 * internal/core/subscribers.go (InsertSubscriber adds somebody in one statement and mails in a step of
 * its own, between which it can be killed; 409 is for subscribers_email_key alone) and
 * queries/subscribers.sql (insert-subscriber, add-subscribers-to-lists, whose lists have their optin).
 */

type Optin = "single" | "double";

export interface List {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly optin: Optin;
  readonly status: string;
}

interface Row {
  readonly id: number;
  email: string;
  name: string;
  status: string;
  attribs: Record<string, unknown>;
  /** The status by list. */
  readonly subscriptions: Map<number, string>;
}

type NewRow = Pick<Row, "email" | "name" | "status" | "attribs"> & {
  readonly lists: readonly number[];
  readonly preconfirm: boolean;
};

export class Subscribers {
  readonly lists = new Map<number, List>();
  readonly rows = new Map<number, Row>();
  /** The addresses of the opt-in mails that went out. */
  readonly mails: string[] = [];
  /** No number means two things. */
  #lastId = 0;

  addList({ name = "", type = "private", optin = "single" }: Body): List {
    this.#lastId += 1;
    const id = this.#lastId;
    const list = { id, name, type, optin, status: "active" };
    this.lists.set(id, list);
    return list;
  }

  byEmail(email: string): Row | undefined {
    return [...this.rows.values()].find((row) => row.email.toLowerCase() === email.toLowerCase());
  }

  /** Lists that there are not are left out without a word. */
  add({ lists, preconfirm, ...fields }: NewRow): Row {
    this.#lastId += 1;
    const row: Row = { id: this.#lastId, ...fields, subscriptions: new Map() };
    this.rows.set(row.id, row);
    for (const id of lists) {
      const list = this.lists.get(id);
      if (!list) continue;
      const status = preconfirm ? "confirmed" : "unconfirmed";
      row.subscriptions.set(id, row.status === "blocklisted" ? "unsubscribed" : status);
    }
    if (!preconfirm) this.mail(row);
    return row;
  }

  /** One mail to each person who has yet to confirm a list with double opt-in. */
  mail(row: Row): void {
    const isPending = [...row.subscriptions].some(
      ([id, status]) => status === "unconfirmed" && this.lists.get(id)?.optin === "double",
    );
    if (isPending) this.mails.push(row.email);
  }
}

export const data = (value: unknown): Response => Response.json({ data: value });

export const failure = (status: number, message: string): Response =>
  Response.json({ message }, { status });

/** The fields of any request. */
export interface Body {
  readonly email?: string;
  readonly name?: string;
  readonly status?: string;
  readonly attribs?: Record<string, unknown> | null;
  readonly lists?: readonly number[];
  readonly preconfirm_subscriptions?: boolean;
  readonly ids?: readonly number[];
  readonly target_list_ids?: readonly number[];
  readonly type?: string;
  readonly optin?: Optin;
}

/** As the API shows a subscriber. */
export const shown = (subscribers: Subscribers, { subscriptions, ...row }: Row): object => ({
  ...row,
  lists: [...subscriptions].map(([id, subscription_status]) => ({
    ...subscribers.lists.get(id),
    subscription_status,
  })),
});

const isAddress = (email: string | undefined): email is string => /^\S+@\S+$/.test(email ?? "");

/** POST /api/subscribers */
export function create(subscribers: Subscribers, body: Body): Response {
  const { email, status = "enabled", lists = [], preconfirm_subscriptions = false } = body;
  if (!isAddress(email)) return failure(400, "Invalid email.");
  if (email.endsWith("@blocked.test")) return failure(400, "E-mail domain is blocklisted.");
  const name = body.name?.trim() || (email.split("@")[0] ?? "");
  if (hasNul(name) || hasNul(body.attribs)) {
    return failure(500, "Error creating subscriber: invalid byte sequence");
  }
  const taken = subscribers.byEmail(email);
  if (taken && taken.email !== taken.email.toLowerCase()) return mixedCase(email);
  if (taken) return failure(409, "E-mail already exists.");
  const fields = { email: email.toLowerCase(), name, status, attribs: body.attribs ?? {} };
  const row = subscribers.add({ ...fields, lists, preconfirm: preconfirm_subscriptions });
  return data(shown(subscribers, row));
}

/** PostgreSQL keeps no U+0000, neither in a text nor in JSON. */
const hasNul = (value: unknown): boolean => JSON.stringify(value ?? "").includes("\\u0000");

/** Of two unique indexes, listmonk knows one. */
const mixedCase = (email: string): Response =>
  failure(
    500,
    `Error creating subscriber: duplicate key value violates unique constraint "idx_subs_email": Key (lower(email))=(${email}) already exists.`,
  );

/** PUT /api/subscribers/lists */
export function manageLists(subscribers: Subscribers, body: Body): Response {
  const { ids = [], target_list_ids: targets = [], status } = body;
  if (ids.length === 0) return failure(400, "No IDs given.");
  const rows = ids.map((id) => subscribers.rows.get(id));
  const isKnown =
    rows.every((row) => row !== undefined) && targets.every((id) => subscribers.lists.has(id));
  if (!isKnown) return failure(500, "Error updating subscriptions: violates foreign key");
  for (const row of rows) {
    for (const id of targets) {
      // Without a status, a row that is there stays as it is.
      row?.subscriptions.set(id, status ?? row.subscriptions.get(id) ?? "unconfirmed");
    }
  }
  return data(true);
}

/** PATCH /api/subscribers/{id}: reads, waits for the database, and writes what it has read. */
export async function patch(subscribers: Subscribers, row: Row, body: Body): Promise<Response> {
  const before = { ...row };
  await Bun.sleep(2);
  if (hasNul(body.attribs)) return failure(500, "Error updating subscriber: unsupported Unicode");
  row.email = row.email.toLowerCase();
  // An empty text makes the statement keep the column; one left out is what was read.
  if (body.status !== "") row.status = body.status ?? before.status;
  if (body.name !== "") row.name = body.name ?? before.name;
  if (body.attribs === null) row.attribs = {};
  else row.attribs = { ...before.attribs, ...body.attribs };
  if (!body.preconfirm_subscriptions) subscribers.mail(row);
  return data(shown(subscribers, row));
}

/** GET /api/subscribers. Before 5.0 a search is ignored. */
export function search(
  subscribers: Subscribers,
  parameters: URLSearchParams,
  version: number,
): Response {
  const rows = [...subscribers.rows.values()];
  if (version < 5) return page(subscribers, rows, parameters);
  const regex = new RegExp(parameters.get("search") ?? "", "i");
  const found = rows.filter(({ name, email }) => regex.test(name) || regex.test(email));
  return page(subscribers, found, parameters);
}

function page(subscribers: Subscribers, rows: Row[], parameters: URLSearchParams): Response {
  // MaxPerPage in cmd/main.go.
  const per_page = Math.min(Number(parameters.get("per_page") ?? 20), 50);
  const page = Number(parameters.get("page") ?? 1);
  const results = rows
    .slice((page - 1) * per_page, page * per_page)
    .map((row) => shown(subscribers, row));
  return data({ results, total: rows.length, per_page, page });
}
