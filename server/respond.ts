import { etagOf, isNotModified } from "./http/etag.ts";
import type { Refusal } from "./refusal.ts";

export type HeaderMap = Readonly<Record<string, string>>;

/** For responses that are data, whoever opens them. */
const DATA_HEADERS: HeaderMap = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** Any site's scripts may read it; there is nothing behind a cookie or a key. */
export const OPEN: HeaderMap = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

const JSON_TYPE = "application/json";

/** The headers of data, by default JSON: composed once, for composing takes longer than answering. */
export const dataHeaders = (headers: HeaderMap, type = JSON_TYPE): Headers =>
  new Headers({ ...DATA_HEADERS, "Content-Type": type, ...headers });

/** A text; see dataHeaders. */
export const data = (body: string, headers: Headers, status = 200): Response =>
  new Response(body, { status, headers });

/** The same with an entity tag, or 304 for a client that has it. */
export function tagged(request: Request, body: string, headers: Headers): Response {
  const etag = etagOf(body);
  const withTag = new Headers(headers);
  withTag.set("ETag", etag);
  if (!isNotModified(request, etag)) return data(body, withTag);
  withTag.delete("Content-Type");
  return new Response(null, { status: 304, headers: withTag });
}

/** The body of every error, with the status of its code. */
export function failed(refusal: Refusal, headers: HeaderMap): Response {
  const body = { error: { code: refusal.code, message: refusal.message } };
  return new Response(JSON.stringify(body), {
    status: refusal.status,
    headers: {
      ...DATA_HEADERS,
      "Content-Type": JSON_TYPE,
      "Cache-Control": "no-store",
      ...refusal.headers,
      ...headers,
    },
  });
}
