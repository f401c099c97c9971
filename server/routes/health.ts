import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { CORS_HEADERS, dataHeaders, dataResponse, staticData } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service.ts";

/** Whether this process lives. It reads no storage, so that it is safe to poll. */
export function healthRoute({ identity, isDraining }: Service): Route {
  const bodyOf = (status: Health["status"]): string =>
    JSON.stringify({ status, ...identity } satisfies Health);
  const pass = staticData(bodyOf("pass"), healthHeaders("public, max-age=10"));
  const fail = () => dataResponse(bodyOf("fail"), healthHeaders("no-store"), 503);
  return {
    path: "/api/health",
    methods: { GET: (request) => (isDraining() ? fail() : pass(request)) },
    headers: CORS_HEADERS,
    logged: false,
  };
}

const healthHeaders = (cacheControl: string): Headers =>
  dataHeaders({ ...CORS_HEADERS, "Cache-Control": cacheControl }, HEALTH_MEDIA_TYPE);

/**
 * Whether this process can do all of its work now, for balancers. It asks the store, once a second
 * at most.
 */
export function readinessRoute({ signup, isDraining }: Service): Route {
  const isReady = signup ? askedOnceASecond(() => signup.store.ping()) : () => true;
  const pass = () => dataResponse('{"status":"pass"}', NO_STORE);
  const fail = () => dataResponse('{"status":"fail"}', NO_STORE, 503);
  return {
    path: "/readyz",
    methods: { GET: async () => (!isDraining() && (await isReady()) ? pass() : fail()) },
    headers: {},
    logged: false,
  };
}

const NO_STORE = dataHeaders({ "Cache-Control": "no-store" });

/** An answer counts for this long. */
const KEPT_MS = 1_000;

/** A store that takes longer is not ready. */
const DEADLINE_MS = 1_000;

/** Requests share one question and its answer, so that they cannot load the store. */
function askedOnceASecond(ping: () => Promise<void>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  let answer = Promise.resolve(false);
  let staleAt = Number.NEGATIVE_INFINITY;
  const ask = () => {
    // A question that is late stays the only one: others would wait behind it.
    asking ??= answers(ping).finally(() => {
      asking = undefined;
    });
    return Promise.race([asking, deadline()]);
  };
  return () => {
    if (performance.now() < staleAt) return answer;
    staleAt = Number.POSITIVE_INFINITY;
    answer = ask().finally(() => {
      staleAt = performance.now() + KEPT_MS;
    });
    return answer;
  };
}

async function answers(ping: () => Promise<void>): Promise<boolean> {
  try {
    await ping();
    return true;
  } catch {
    return false;
  }
}

/** The timer does not keep a stopping process alive. */
const deadline = (): Promise<boolean> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), DEADLINE_MS).unref();
  });
