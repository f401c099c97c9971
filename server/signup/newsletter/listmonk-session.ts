import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import type { NewsletterConfig } from "../signup-config.ts";
import { NewsletterError, redactError } from "../signup-errors.ts";

export interface ListmonkResponse {
  /** For messages: "listmonk's GET /api/subscribers/{id}". */
  readonly title: string;
  readonly status: number;
  readonly body: unknown;
}

/** The calls of one sync. Each has three seconds, and all together have eight. */
export type Session = ReturnType<ReturnType<typeof listmonkClient>>;

const CALL_TIMEOUT_MS = 3_000;

const SYNC_TIMEOUT_MS = 8_000;

/** How long an aborted search may continue in listmonk. */
const ABANDONED_MS = 30_000;

const MAX_RESPONSE_BYTES = 256 * 1024;

/** @returns a function that starts a session with the credentials of the API user. */
export function listmonkClient({ url, user, token, maxSearches }: NewsletterConfig) {
  const base = url.replace(/\/+$/, "");
  const headers = {
    "Content-Type": "application/json",
    Authorization: `token ${user}:${token}`,
  };
  const searches = createSemaphore(maxSearches);

  return () => {
    const whole = AbortSignal.timeout(SYNC_TIMEOUT_MS);
    const deadline = () => AbortSignal.any([whole, AbortSignal.timeout(CALL_TIMEOUT_MS)]);

    /**
     * Calls listmonk's API.
     *
     * @param path with its query. Messages omit the query and IDs.
     * @param accepted expected statuses besides 200.
     * @throws {NewsletterError} unless the response is JSON of at most 256 KiB, in time.
     */
    const call = async (
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      path: string,
      body?: object,
      accepted: readonly number[] = [],
      signal = deadline(),
    ): Promise<ListmonkResponse> => {
      const title = `listmonk's ${method} ${path.replace(/\?.*/s, "").replace(/\/\d+/g, "/{id}")}`;
      try {
        // A redirect would send the address and the token elsewhere.
        const json = body ? JSON.stringify(body) : null;
        const init = { method, headers, body: json, redirect: "manual", signal } as const;
        const response = await fetch(base + path, init);
        const tooLong = () => new NewsletterError("listmonk's response is too large");
        const text = await readBounded(response.body, MAX_RESPONSE_BYTES, tooLong);
        const { status } = response;
        const parsed = v.safeParse(JsonBodySchema, text.toString());
        if (!parsed.success) {
          throw new NewsletterError(
            `${title} returned ${status} without JSON: check LISTMONK_URL, which must not redirect, and a proxy in front of listmonk`,
          );
        }
        const result = { title, status, body: parsed.output };
        if (status !== 200 && !accepted.includes(status)) throw unexpectedResponse(result);
        return result;
      } catch (error) {
        if (error instanceof NewsletterError) throw error;
        // The runtime's message contains the URL, and the URL of a search contains the address.
        throw new NewsletterError(
          redactError(title, error).message,
          signal.aborted ? "late" : undefined,
        );
      }
    };
    return {
      call,
      /**
       * Searches for subscribers. Only a few searches may run at once: each occupies one connection
       * of listmonk's pool and waits for a second. If all of them wait, listmonk hangs forever.
       */
      async search(query: URLSearchParams) {
        await searches.take(whole);
        const signal = deadline();
        try {
          return await call("GET", `/api/subscribers?${query}`, undefined, [], signal);
        } finally {
          // listmonk continues an aborted search.
          if (signal.aborted) setTimeout(searches.release, ABANDONED_MS).unref();
          else searches.release();
        }
      },
    };
  };
}

const JsonBodySchema = v.pipe(v.string(), v.parseJson());

const unexpectedResponse = ({ title, status }: ListmonkResponse): NewsletterError =>
  new NewsletterError(
    status === 403
      ? `${title} is forbidden: check the API user and token, and that its role has subscribers:manage, subscribers:get_all, lists:get_all, and manage on the list`
      : `${title} returned an unexpected response, ${status}`,
  );

/** @throws {NewsletterError} if the body does not match. */
export function parseResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  response: ListmonkResponse,
): v.InferOutput<Schema> {
  const { success, output } = v.safeParse(schema, response.body);
  if (!success) throw unexpectedResponse(response);
  return output;
}

/** Waiters are served in order. */
function createSemaphore(free: number) {
  let left = free;
  const waiting = new Set<() => void>();
  return {
    async take(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      if (left > 0) {
        left -= 1;
        return;
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.add(resolve);
      signal.addEventListener("abort", () => {
        waiting.delete(resolve);
        reject(new NewsletterError("Too many searches wait for listmonk"));
      });
      await promise;
    },
    release(): void {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else left += 1;
    },
  };
}
