import { readBounded } from "../../http/request.ts";
import { withoutData } from "../without-data.ts";
import { SyncFailure } from "./sync-failure.ts";

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
