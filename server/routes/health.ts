import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { CORS_HEADERS, dataHeaders, dataResponse, staticData } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { atMostEvery, withTimeout } from "../once.ts";
import type { Service } from "../service.ts";
import type { SignupStore } from "../signup/model.ts";

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
 * Whether this process can do all of its work now, for balancers. It asks the store once a second
 * at most, and makes it write every five seconds at most.
 */
export function readinessRoute({ signup, isDraining }: Service): Route {
  const isReady = signup ? readinessOf(signup.store) : () => true;
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

function readinessOf(store: SignupStore): () => Promise<boolean> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  const ask = atMostEvery(ANSWER_KEPT_MS, async () => {
    await store.ping();
    if (performance.now() - writtenAt < WRITE_KEPT_MS) return;
    await store.tryWrite();
    writtenAt = performance.now();
  });
  return () =>
    withTimeout(STORE_TIMEOUT_MS, ask()).then(
      () => true,
      () => false,
    );
}

const ANSWER_KEPT_MS = 1_000;
const WRITE_KEPT_MS = 5_000;
const STORE_TIMEOUT_MS = 1_000;
