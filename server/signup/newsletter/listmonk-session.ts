import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import type { NewsletterConfig } from "../signup-config.ts";
import { NewsletterError, redactError } from "../signup-errors.ts";

export interface ListmonkResponse {
  /** Names the call in messages: "listmonk's GET /api/subscribers/{id}". */
  readonly title: string;
  readonly status: number;
  readonly body: unknown;
}

/** The calls of one sync. All of them together have eight seconds, and each of them three. */
export interface Session {
  /**
   * Calls listmonk's API.
   *
   * @param path with its query. Messages leave out the query and the numbers.
   * @param accepted the statuses beside 200 that are no error.
   * @throws {NewsletterError} unless an answer of at most 256 KiB of JSON comes in time.
   */
  call(
    method: Method,
    path: string,
    body?: object,
    accepted?: readonly number[],
  ): Promise<ListmonkResponse>;
  /**
   * Searches for subscribers. Only a few searches may run at once: each holds one connection of
   * listmonk's pool and waits for a second one, and when all of them wait listmonk hangs for good.
   */
  search(query: URLSearchParams): Promise<ListmonkResponse>;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const CALL_TIMEOUT_MS = 3_000;

const SYNC_TIMEOUT_MS = 8_000;

/** The longest time that an abandoned search runs in listmonk, in milliseconds. */
const ABANDONED_MS = 30_000;

const MAX_RESPONSE_BYTES = 256 * 1024;

/** Talks to listmonk with the credentials of an API user. */
export function listmonkClient({ url, user, token, maxSearches }: NewsletterConfig): () => Session {
  const base = url.replace(/\/+$/, "");
  const headers = {
    "Content-Type": "application/json",
    Authorization: `token ${user}:${token}`,
  };
  const searches = createSemaphore(maxSearches);

  return () => {
    const whole = AbortSignal.timeout(SYNC_TIMEOUT_MS);

    const send = async (
      signal: AbortSignal,
      method: Method,
      path: string,
      body?: object,
      accepted: readonly number[] = [],
    ): Promise<ListmonkResponse> => {
      const title = `listmonk's ${method} ${path.replace(/\?.*/s, "").replace(/\/\d+/g, "/{id}")}`;
      try {
        // It follows no redirect, which would carry the address and the token elsewhere.
        const json = body ? JSON.stringify(body) : null;
        const init = { method, headers, body: json, redirect: "manual", signal } as const;
        const response = await fetch(base + path, init);
        const tooLong = () => new NewsletterError("listmonk's answer is too large");
        const text = await readBounded(response.body, MAX_RESPONSE_BYTES, tooLong);
        const { status } = response;
        const parsed = v.safeParse(JsonBodySchema, text.toString());
        if (!parsed.success) {
          throw new NewsletterError(
            `${title} answered ${status} with something else than JSON: check LISTMONK_URL, which must not redirect, and a proxy before listmonk`,
          );
        }
        const answer = { title, status, body: parsed.output };
        if (status !== 200 && !accepted.includes(status)) throw unexpectedAnswer(answer);
        return answer;
      } catch (error) {
        if (error instanceof NewsletterError) throw error;
        // The runtime's message holds the URL, and the URL of a search holds the address.
        throw new NewsletterError(
          redactError(title, error).message,
          signal.aborted ? "late" : undefined,
        );
      }
    };
    const deadline = () => AbortSignal.any([whole, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    return {
      call: (...call) => send(deadline(), ...call),
      async search(query) {
        await searches.take(whole);
        const signal = deadline();
        try {
          return await send(signal, "GET", `/api/subscribers?${query}`);
        } finally {
          // listmonk goes on with an aborted search.
          if (signal.aborted) setTimeout(searches.release, ABANDONED_MS).unref();
          else searches.release();
        }
      },
    };
  };
}

const JsonBodySchema = v.pipe(v.string(), v.parseJson());

const unexpectedAnswer = ({ title, status }: ListmonkResponse): NewsletterError =>
  new NewsletterError(
    status === 403
      ? `${title} is forbidden: check the API user and token, and that its role has subscribers:manage, subscribers:get_all, lists:get_all, and manage on the list`
      : `${title} answered ${status} in an unexpected way`,
  );

/** Reads the body of an answer. @throws {NewsletterError} for another body. */
export function parseResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: ListmonkResponse,
): v.InferOutput<Schema> {
  const { success, output } = v.safeParse(schema, answer.body);
  if (!success) throw unexpectedAnswer(answer);
  return output;
}

/** A number of permits, given out in the order of asking. */
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
        reject(new NewsletterError("Too many look-ups wait for listmonk"));
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
