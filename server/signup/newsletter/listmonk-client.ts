import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import { NewsletterError, redacted } from "../errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path with its query. Messages leave out the query and the numbers. */
  readonly path: string;
  readonly body?: object;
}

export interface Answer {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
}

/** @throws {NewsletterError} unless an answer of at most 256 KiB of JSON comes before the signal. */
type Send = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** Every call has a deadline of its own. */
const CALL_TIMEOUT_MS = 3_000;

const MAX_BYTES = 256 * 1024;

/**
 * Talks JSON with one server. It follows no redirect, which would carry the address and the token
 * elsewhere, and keeps no cookie: listmonk ignores a token beside a session.
 */
export function httpClient(baseUrl: string, headers: Record<string, string>, fetch: Fetch): Send {
  const base = baseUrl.replace(/\/+$/, "");
  return async (call, signal) => {
    try {
      const response = await fetch(`${base}${call.path}`, {
        method: call.method,
        headers: { Accept: "application/json", "Content-Type": "application/json", ...headers },
        body: call.body === undefined ? null : JSON.stringify(call.body),
        redirect: "manual",
        signal,
      });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        throw new NewsletterError(
          `${titleOf(call)} answered with a redirect: set LISTMONK_URL to the address that it leads to`,
        );
      }
      const type = response.headers.get("content-type") ?? "";
      if (!/^application\/json\s*(?:;|$)/i.test(type)) {
        await response.body?.cancel();
        throw new NewsletterError(
          `${titleOf(call)} answered ${response.status} with something else than JSON: check LISTMONK_URL, and a proxy before listmonk`,
        );
      }
      const tooLong = () => new NewsletterError("listmonk's answer is too large");
      const text = await readBounded(response.body, MAX_BYTES, tooLong);
      return { call, status: response.status, body: JSON.parse(text.toString()) };
    } catch (error) {
      if (error instanceof NewsletterError) throw error;
      // The runtime's message holds the URL, and the URL of a search holds the address.
      const { message } = redacted(titleOf(call), error);
      throw new NewsletterError(message, signal.aborted ? "late" : undefined);
    }
  };
}

/** Names a call in messages: "listmonk's GET /api/subscribers/{id}". */
const titleOf = ({ method, path }: Call): string =>
  `listmonk's ${method} ${path.replace(/\?.*/s, "").replace(/\/\d+/g, "/{id}")}`;

export const unexpectedAnswer = ({ call, status }: Answer): NewsletterError =>
  new NewsletterError(
    status === 403
      ? `${titleOf(call)} is forbidden: check the API user and token, and that its role has subscribers:manage, subscribers:get_all, lists:get_all, and manage on the list`
      : `${titleOf(call)} answered ${status} in an unexpected way`,
  );

const SYNC_TIMEOUT_MS = 8_000;

/** The longest time that an abandoned look-up runs in listmonk, in milliseconds. */
const ABANDONED_MS = 30_000;

/** The calls of one sync. All of them together have eight seconds, and each of them three. */
export interface Session {
  call(call: Call): Promise<Answer>;
  /**
   * Calls listmonk for a look-up. Only a few may run at once: each holds one connection of
   * listmonk's pool and waits for a second one, and when all of them wait listmonk hangs for good.
   */
  lookUp(path: string): Promise<Answer>;
}

export function openSession(send: Send, lookUps: Semaphore): Session {
  const whole = AbortSignal.timeout(SYNC_TIMEOUT_MS);
  const deadline = () => AbortSignal.any([whole, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
  return {
    call: (call) => send(call, deadline()),
    async lookUp(path) {
      const release = await lookUps.take(whole).catch(() => {
        throw new NewsletterError("Too many look-ups wait for listmonk");
      });
      const signal = deadline();
      try {
        return await send({ method: "GET", path }, signal);
      } finally {
        // listmonk goes on with an aborted look-up.
        if (signal.aborted) setTimeout(release, ABANDONED_MS).unref();
        else release();
      }
    },
  };
}

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

const SubscriberSchema = v.object({
  id,
  email: v.string(),
  name: v.string(),
  /** enabled, disabled or blocklisted. */
  status: v.string(),
  attribs: v.nullish(v.record(v.string(), v.unknown()), {}),
  lists: v.array(v.object({ id, subscription_status: v.string() })),
});

export type ExistingSubscriber = v.InferOutput<typeof SubscriberSchema>;

/** The answer to POST /api/subscribers. */
export const CreatedSchema = v.object({
  data: v.object({ id, lists: v.array(v.object({ id })) }),
});

/** The answer to GET /api/subscribers/{id}. */
export const FoundSchema = v.object({ data: SubscriberSchema });

/** The answer to GET /api/subscribers. */
export const FoundManySchema = v.object({
  data: v.object({ results: v.array(SubscriberSchema), total: v.optional(v.number(), 0) }),
});

/** The answer to GET /api/lists/{id}; versions before 6 have no status. */
const ListSchema = v.object({
  data: v.object({ type: v.string(), optin: v.string(), status: v.optional(v.string()) }),
});

/** The settings of a list in listmonk. @throws {NewsletterError} also when there is no such list. */
export async function readList(session: Session, listId: number) {
  const answer = await session.call({ method: "GET", path: `/api/lists/${listId}` });
  if ([401, 403].includes(answer.status)) {
    throw new NewsletterError(
      `listmonk rejects the API user and token, or their role may not see list ${listId}`,
    );
  }
  if ([400, 404].includes(answer.status)) {
    throw new NewsletterError(`listmonk has no list ${listId}: check LISTMONK_LIST_ID`);
  }
  return readAnswer(ListSchema, answer).data;
}

const permissions = v.array(v.string());

/** The answer to GET /api/profile. */
export const ProfileSchema = v.object({
  data: v.object({
    user_role: v.object({ id: v.number(), permissions: v.nullish(permissions) }),
    list_role: v.nullish(
      v.object({
        lists: v.nullish(v.array(v.object({ id, permissions: v.nullish(permissions) }))),
      }),
    ),
  }),
});

/**
 * Reads a successful answer.
 *
 * @throws {NewsletterError} for any status but 200, and for another body.
 */
export function readAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: Answer,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer.body);
  if (answer.status !== 200 || !parsed.success) throw unexpectedAnswer(answer);
  return parsed.output;
}

interface Semaphore {
  /**
   * Waits for a permit; rejects when the signal aborts first.
   *
   * @returns gives the permit back; it is called once.
   */
  take(signal: AbortSignal): Promise<() => void>;
}

/** A fixed number of permits, given out in the order of asking. */
export function semaphore(size: number): Semaphore {
  let free = size;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        waiting.delete(enter);
        resolve();
      };
      signal.addEventListener("abort", leave);
      waiting.add(enter);
    });

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(signal);
      return () => {
        const [next] = waiting;
        if (next) next();
        else free += 1;
      };
    },
  };
}
