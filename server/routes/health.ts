import { Elysia } from "elysia";
import { HEALTH_MEDIA_TYPE, type Health } from "../../schemas/index.ts";
import { HEALTH_PATH } from "../paths.ts";
import { cacheFor, withTimeout } from "../promises.ts";
import type { Service } from "../service.ts";

/** Liveness without storage, and readiness for load balancers, which tries the store. */
export function healthRoutes({ config, isDraining, signup }: Service) {
  const askStore = cacheFor(1_000, async () => {
    await signup?.store.tryWrite();
    return true;
  });
  let warnings: readonly string[] = [];
  // Not awaited: the site works without the newsletter.
  const askNewsletter = cacheFor(60_000, async () => {
    warnings = (await signup?.newsletter?.check()) ?? warnings;
  });
  return new Elysia()
    .get(HEALTH_PATH, ({ set }) => {
      const isPassing = !isDraining();
      set.headers["content-type"] = HEALTH_MEDIA_TYPE;
      set.headers["cache-control"] = isPassing ? "public, max-age=10" : "no-store";
      set.status = isPassing ? 200 : 503;
      const status: Health["status"] = isPassing ? "pass" : "fail";
      return { status, serviceId: config.SERVICE_ID, description: config.SERVICE_DESCRIPTION };
    })
    .get("/readyz", async ({ set }) => {
      set.headers["cache-control"] = "no-store";
      if (isDraining() || !(await withTimeout(1_000, askStore()).catch(() => false))) {
        set.status = 503;
        return { status: "fail" };
      }
      void askNewsletter();
      return { status: "pass", ...(warnings.length > 0 && { warnings }) };
    });
}
