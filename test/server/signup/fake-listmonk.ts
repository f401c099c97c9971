import { type Body, Book } from "./fake-listmonk/book.ts";
import { refusedBy } from "./fake-listmonk/door.ts";
import type { Fault } from "./fake-listmonk/faults.ts";
import { data, failure } from "./fake-listmonk/replies.ts";
import { routes } from "./fake-listmonk/routes.ts";

interface Options {
  /** As major.minor; the routes and the search change with it. */
  readonly version: number;
  /** How long a look-up keeps its two connections. */
  readonly lookUpMs: number;
  /** How long everything takes. */
  readonly latencyMs: number;
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
  const { version = 6.2, lookUpMs = 1, latencyMs = 0 } = options;
  const book = new Book();
  const list = book.addList({ name: "News", type: "public" });
  const faults = new Map<string, Fault>();
  const seen: Seen[] = [];
  const state = { isDatabaseDown: false, lookUps: 0, mostLookUps: 0 };

  const work = async (request: Request, url: URL, route: string, body: Body) => {
    if (state.isDatabaseDown) return failure(route === "GET /api/subscribers" ? 400 : 500, "db");
    if (state.mostLookUps > POOL) await forever();
    if (latencyMs > 0) await Bun.sleep(latencyMs);
    const fault = faults.get(route);
    const id = Number(/\d+/.exec(url.pathname)?.[0]);
    const setting = { book, version };
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
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname === "/elsewhere") return data({ id: 1, lists: [{ id: list.id }] });
      const route = `${request.method} ${url.pathname.replace(/\d+/, "{id}")}`;
      const refusal = refusedBy(request, url.pathname);
      const text = await request.text();
      const body: Body = text === "" || refusal ? {} : JSON.parse(text);
      const run = () => work(request, url, route, body);
      const isLookUp = /^GET \/api\/subscribers/.test(route);
      const response =
        refusal ?? (await (isLookUp ? lookUp(run) : run())) ?? failure(404, "404 unknown endpoint");
      seen.push({ route, status: response.status, headers: request.headers, body });
      response.headers.append("Set-Cookie", "session=abc; Path=/");
      return response;
    },
  });

  return {
    url: `http://127.0.0.1:${server.port}`,
    book,
    /** A public one with single opt-in. */
    list,
    /** What a route does instead of its work. */
    faults,
    /** What was answered, in that order. */
    seen,
    state,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

export type FakeListmonk = ReturnType<typeof startFakeListmonk>;
