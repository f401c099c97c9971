import * as v from "valibot";
import { readBounded } from "../../http/request.ts";
import { SyncFailure, withoutData } from "../errors.ts";
import type { Slots } from "./concurrency.ts";

/** What is used of the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** With its query; what is told of a call leaves out the query and the numbers. */
  readonly path: string;
  readonly body?: object;
}

export interface Answer {
  readonly call: Call;
  readonly status: number;
  readonly body: unknown;
}

/** @throws {SyncFailure} unless the answer is JSON of at most 256 KiB and there before the signal. */
export type Send = (call: Call, signal: AbortSignal) => Promise<Answer>;

/** Every call has a deadline of its own. */
export const CALL_MS = 3_000;

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
        redirect: "error",
        signal,
      });
      return { call, status: response.status, body: JSON.parse(await jsonText(response)) };
    } catch (error) {
      if (error instanceof SyncFailure) throw error;
      // The runtime's own words hold the URL, and a search in the URL holds the address.
      throw new SyncFailure(withoutData(titleOf(call), error).message);
    }
  };
}

/** Such as "listmonk's GET /api/subscribers/{id}". */
const titleOf = ({ method, path }: Call): string =>
  `listmonk's ${method} ${path.replace(/\?.*/s, "").replace(/\/\d+/g, "/{id}")}`;

export const unexpected = ({ call, status }: Answer): SyncFailure =>
  new SyncFailure(`${titleOf(call)} answered ${status} in an unexpected way`);

async function jsonText(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    await response.body?.cancel();
    throw new SyncFailure("listmonk answered with something else than JSON: check LISTMONK_URL");
  }
  const tooLong = () => new SyncFailure("listmonk answered with too much");
  return (await readBounded(response.body, MAX_BYTES, tooLong)).toString();
}

const SYNC_MS = 8_000;

/** For so long a look-up that was given up may still be under way in listmonk. */
const ABANDONED_MS = 30_000;

/** The calls of one sync, which all together have eight seconds, and each of them three. */
export interface Session {
  call(call: Call): Promise<Answer>;
  /**
   * The same for a look-up, of which few may be under way: each keeps one connection of listmonk's
   * pool and waits for a second, and when all wait listmonk hangs for good.
   */
  lookUp(path: string): Promise<Answer>;
}

export function openSession(send: Send, lookUps: Slots): Session {
  const whole = AbortSignal.timeout(SYNC_MS);
  const deadline = () => AbortSignal.any([whole, AbortSignal.timeout(CALL_MS)]);
  return {
    call: (call) => send(call, deadline()),
    async lookUp(path) {
      const release = await lookUps.take(whole).catch(() => {
        throw new SyncFailure("Too many look-ups wait for listmonk");
      });
      const signal = deadline();
      try {
        return await send({ method: "GET", path }, signal);
      } finally {
        // listmonk works on, although nobody listens any more.
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

/** A subscriber as listmonk has it. */
export type Existing = v.InferOutput<typeof SubscriberSchema>;

/** To POST /api/subscribers. */
export const CreatedSchema = v.object({
  data: v.object({ id, lists: v.array(v.object({ id })) }),
});

/** To GET /api/subscribers/{id}. */
export const FoundSchema = v.object({ data: SubscriberSchema });

/** To GET /api/subscribers. */
export const FoundManySchema = v.object({
  data: v.object({ results: v.array(SubscriberSchema) }),
});

/** To GET /api/lists/{id}; versions before 6 have no status. */
export const ListSchema = v.object({
  data: v.object({ type: v.string(), optin: v.string(), status: v.optional(v.string()) }),
});

/** To GET /api/public/lists, the one answer without an envelope. */
export const PublicListsSchema = v.array(v.object({ uuid: v.string() }));

/** To whatever failed. */
export const ErrorSchema = v.object({ message: v.string() });

/**
 * What a successful answer says.
 *
 * @throws {SyncFailure} for any status but 200, and for another body.
 */
export function read<Schema extends v.GenericSchema>(
  schema: Schema,
  answer: Answer,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, answer.body);
  if (answer.status !== 200 || !parsed.success) throw unexpected(answer);
  return parsed.output;
}
