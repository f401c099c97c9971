import type { Fault } from "./faults.ts";

export const USER = "handtools";
export const TOKEN = "a-token-of-listmonk";

/** Requests that are rejected at once (internal/auth/auth.go). There is no 401; beside a session cookie the token counts for nothing. */
function rejectionOf({ headers, body }: Request): Response | undefined {
  const type = headers.get("content-type") ?? "";
  if (body && !type.startsWith("application/json")) return failure(415, "Unsupported Media Type");
  const authorization = headers.get("authorization") ?? "";
  if (authorization === "" || headers.get("cookie")?.includes("session=")) {
    return failure(403, "invalid session");
  }
  if (!/^(?:token|Basic) /.test(authorization)) {
    return failure(403, "code=400, message=unknown Authorization scheme");
  }
  const isRight = authorization === `token ${USER}:${TOKEN}`;
  return isRight ? undefined : failure(403, "invalid API credentials");
}

interface Setting {
  readonly subscribers: Subscribers;
  /** Such as 6.2. */
  readonly version: number;
}

interface Ask {
  readonly setting: Setting;
  readonly id: number;
  readonly url: URL;
  readonly body: Body;
}

type Route = (ask: Ask) => Response | Promise<Response>;

const noSubscriber = (id: number): Response => failure(400, `Subscriber (${id}: ) not found`);

/** The calls that a role without manage on the list may not make. */
const NEEDS_MANAGE = ["POST /api/subscribers", "PUT /api/subscribers/lists"];

/**
 * By method and path, a number in the path as {id}. In listmonk's code: cmd/subscribers.go has the
 * handlers (CreateSubscriber, PatchSubscriber, SubscriberSendOptin, ManageSubscriberLists,
 * DeleteSubscriber), cmd/handlers.go the "404 unknown endpoint".
 */
const routes: Readonly<Record<string, Route>> = {
  "GET /api/lists/{id}": ({ setting, id }) => {
    const list = setting.subscribers.lists.get(id);
    return list ? data(list) : failure(400, "List not found");
  },
  "POST /api/lists": ({ setting, body }) => data(setting.subscribers.addList(body)),
  "DELETE /api/lists/{id}": ({ setting, id }) => data(setting.subscribers.lists.delete(id)),
  "POST /api/subscribers": ({ setting, body }) => create(setting.subscribers, body),
  "GET /api/subscribers": ({ setting, url }) =>
    search(setting.subscribers, url.searchParams, setting.version),
  "GET /api/subscribers/{id}": ({ setting, id }) => {
    const row = setting.subscribers.rows.get(id);
    return row ? data(shown(setting.subscribers, row)) : noSubscriber(id);
  },
  "PUT /api/subscribers/lists": ({ setting, body }) => manageLists(setting.subscribers, body),
  "PATCH /api/subscribers/{id}": ({ setting, id, body }) => {
    const row = setting.subscribers.rows.get(id);
    return row ? patch(setting.subscribers, row, body) : noSubscriber(id);
  },
  "POST /api/subscribers/{id}/optin": ({ setting, id }) => {
    const row = setting.subscribers.rows.get(id);
    if (!row) return noSubscriber(id);
    setting.subscribers.mail(row);
    return data(true);
  },
  "DELETE /api/subscribers/{id}": ({ setting, id }) => {
    setting.subscribers.rows.delete(id);
    return data(true);
  },
};

interface Options {
  readonly port: number;
  /** As major.minor; the search changes with it. */
  readonly version: number;
  /** How long a look-up keeps its two connections. */
  readonly lookUpMs: number;
  /** Comes before every answer. */
  readonly before: () => void | Promise<void>;
}

interface Seen {
  /** Such as "GET /api/subscribers/{id}". */
  readonly route: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** The connections of listmonk's pool: a look-up holds one and waits for a second. */
const POOL = 25;

const forever = () => new Promise<never>(() => {});

/**
 * A stand-in for listmonk on this machine, with the oddities that were seen at version 6.2: it says
 * yes to lists that there are not, knows no 401, goes on with what nobody waits for, and hangs for
 * good when too many look up at once.
 */
export function startFakeListmonk(options: Partial<Options> = {}) {
  const { port = 0, version = 6.2, lookUpMs = 1, before } = options;
  const subscribers = new Subscribers();
  const list = subscribers.addList({ name: "News", type: "public" });
  const faults = new Map<string, Fault>();
  const seen: Seen[] = [];
  const state = { isDatabaseDown: false, mayManage: true, lookUps: 0, mostLookUps: 0 };

  const work = async (request: Request, url: URL, route: string, body: Body) => {
    if (state.isDatabaseDown) return failure(route === "GET /api/subscribers" ? 400 : 500, "db");
    if (state.mostLookUps > POOL) await forever();
    await before?.();
    const fault = faults.get(route);
    const id = Number(/\d+/.exec(url.pathname)?.[0]);
    const setting = { subscribers, version };
    if (!state.mayManage && NEEDS_MANAGE.includes(route)) return failure(403, "permission denied");
    return fault ? fault(request) : await routes[route]?.({ setting, id, url, body });
  };

  /** It goes on to its end, also when the caller has hung up. */
  const lookUp = async (run: () => ReturnType<typeof work>) => {
    state.lookUps += 1;
    state.mostLookUps = Math.max(state.mostLookUps, state.lookUps);
    await Bun.sleep(lookUpMs);
    const response = await run();
    state.lookUps -= 1;
    return response;
  };

  const server = Bun.serve({
    port,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname === "/elsewhere") return data({ id: 1, lists: [{ id: list.id }] });
      const route = `${request.method} ${url.pathname.replace(/\d+/, "{id}")}`;
      const rejection = rejectionOf(request);
      const text = await request.clone().text();
      const body: Body = text === "" || rejection ? {} : JSON.parse(text);
      const run = () => work(request, url, route, body);
      const isLookUp = route === "GET /api/subscribers";
      const response =
        rejection ??
        (await (isLookUp ? lookUp(run) : run())) ??
        failure(404, "404 unknown endpoint");
      seen.push({ route, status: response.status, headers: request.headers, body });
      response.headers.append("Set-Cookie", "session=abc; Path=/");
      return response;
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    subscribers,
    /** A public one with single opt-in. */
    list,
    /** The failure of a route instead of its work. */
    faults,
    /** The answers, in order. */
    seen,
    state,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

export type FakeListmonk = ReturnType<typeof startFakeListmonk>;

/** The variables of a server that puts people on the list. */
export const listmonkVariables = ({ url, list }: Pick<FakeListmonk, "url" | "list">) => ({
  LISTMONK_URL: url,
  LISTMONK_API_USER: USER,
  LISTMONK_API_TOKEN: TOKEN,
  LISTMONK_LIST_ID: String(list.id),
});

/**
 * The stand-in's data, with the effects that a real listmonk 6.2 was seen to have. In its code:
 * internal/core/subscribers.go (InsertSubscriber adds somebody in one statement and mails in a step of
 * its own, between which it can be killed; 409 is for subscribers_email_key alone) and
 * queries/subscribers.sql (insert-subscriber, add-subscribers-to-lists, whose lists have their optin).
 */

type Optin = "single" | "double";

interface List {
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

class Subscribers {
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

const data = (value: unknown): Response => Response.json({ data: value });

export const failure = (status: number, message: string): Response =>
  Response.json({ message }, { status });

/** The fields of any request. */
interface Body {
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
const shown = (subscribers: Subscribers, { subscriptions, ...row }: Row): object => ({
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
function manageLists(subscribers: Subscribers, body: Body): Response {
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
async function patch(subscribers: Subscribers, row: Row, body: Body): Promise<Response> {
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
function search(subscribers: Subscribers, parameters: URLSearchParams, version: number): Response {
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
