import type { Fault } from "../faults.ts";
import {
  type Body,
  create,
  data,
  failure,
  manageLists,
  patch,
  Subscribers,
  search,
  shown,
} from "./subscribers.ts";

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
