import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { atMostEvery } from "../at-most-every.ts";
import { elapsedSince } from "../http/request.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  type Handler,
  type HeaderMap,
  respond,
  respondPrepared,
} from "../http/response.ts";
import { HEALTH_PATH } from "../links.ts";
import type { Service } from "../service.ts";
import type { Newsletter } from "../signup/newsletter/newsletter.ts";
import type { SignupStore } from "../signup/store/signup-store.ts";
import { withTimeout } from "../with-timeout.ts";

/**
 * Reports that this process lives. It reads no storage, so that it is safe to poll, and it is asked
 * so often that its answer is prepared.
 */
export function health({ identity, isDraining, onRequest }: Service): Handler {
  const bodyOf = (status: Health["status"]): string =>
    JSON.stringify({ status, ...identity } satisfies Health);
  const passing = healthHeaders({ "Cache-Control": "public, max-age=10" });
  const pass = respondPrepared(bodyOf("pass"), passing);
  const failing = healthHeaders({ "Cache-Control": "no-store", Connection: "close" });
  const answer = (request: Request): Response =>
    isDraining() ? respond(bodyOf("fail"), { headers: failing, status: 503 }) : pass(request);
  if (!onRequest) return answer;
  return (request) => {
    const started = performance.now();
    const response = answer(request);
    const duration_ms = elapsedSince(started);
    onRequest({ route: HEALTH_PATH, status: response.status, duration_ms });
    return response;
  };
}

const healthHeaders = (headers: HeaderMap): Headers =>
  dataHeaders({ ...CORS_HEADERS, ...headers }, HEALTH_MEDIA_TYPE);

/**
 * Tells balancers if this process can do all of its work now. It asks the store once a second at
 * most, and makes it write every five seconds at most.
 */
export function readiness({ signup, isDraining }: Service): Handler {
  const isReady = signup ? readinessCheck(signup.store) : () => true;
  const warnings = signup ? newsletterWarnings(signup.newsletter) : () => [];
  const pass = () => {
    const found = warnings();
    return JSON.stringify({ status: "pass", ...(found.length > 0 && { warnings: found }) });
  };
  return async () =>
    !isDraining() && (await isReady())
      ? respond(pass(), { headers: NO_STORE })
      : respond('{"status":"fail"}', { headers: NO_STORE, status: 503 });
}

const NO_STORE = dataHeaders({ "Cache-Control": "no-store" });

function readinessCheck(store: SignupStore): () => Promise<boolean> {
  const write = atMostEvery(WRITE_KEPT_MS, store.tryWrite, 0);
  const ask = atMostEvery(ANSWER_KEPT_MS, async () => {
    await store.ping();
    await write();
  });
  return () =>
    withTimeout(STORE_TIMEOUT_MS, ask()).then(
      () => true,
      () => false,
    );
}

/**
 * The problems of the newsletter at the last check. The site works all the same, so readiness
 * does not wait for it.
 */
function newsletterWarnings({ check }: Newsletter): () => readonly string[] {
  let found: readonly string[] = [];
  if (!check) return () => found;
  const ask = atMostEvery(WARNINGS_KEPT_MS, async () => {
    found = await check();
  });
  return () => {
    ask().catch(() => undefined);
    return found;
  };
}

const WARNINGS_KEPT_MS = 60_000;
const ANSWER_KEPT_MS = 1_000;
const WRITE_KEPT_MS = 5_000;
const STORE_TIMEOUT_MS = 1_000;
