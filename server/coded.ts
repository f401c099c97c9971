import { type Coding, codingFor, compress } from "./http/compress.ts";
import { etagOf, isNotModified } from "./http/etag.ts";
import { once } from "./once.ts";

export type Handler = (request: Request) => Response | Promise<Response>;

/** A text that stays the same as long as the server runs: composed, compressed and tagged once. */
export function fixedText(compose: () => string, headersOf: () => Headers): Handler {
  const text = once(compose);
  const headers = once(headersOf);
  const tag = once(() => etagOf(text()));
  const bodies = new Map<Coding, Buffer<ArrayBuffer>>();
  const bodyIn = (coding: Coding): Buffer<ArrayBuffer> => {
    const body = bodies.get(coding) ?? compress(text(), coding, "most");
    bodies.set(coding, body);
    return body;
  };
  return (request) => {
    const coding = codingFor(request);
    const own = codedHeaders(headers(), coding);
    // Each form of the text has a tag of its own, as a strong one has to (RFC 9110, 8.8.3).
    const etag = coding ? tag().replace(/"$/, `-${coding}"`) : tag();
    own.set("ETag", etag);
    if (!isNotModified(request, etag))
      return new Response(coding ? bodyIn(coding) : text(), { headers: own });
    own.delete("Content-Type");
    own.delete("Content-Encoding");
    return new Response(null, { status: 304, headers: own });
  };
}

/** A text made for one request. */
export function codedText(
  request: Request,
  text: string,
  headers: Headers,
  status = 200,
): Response {
  const coding = codingFor(request);
  return new Response(coding ? compress(text, coding, "little") : text, {
    status,
    headers: codedHeaders(headers, coding),
  });
}

function codedHeaders(headers: Headers, coding: Coding | undefined): Headers {
  const own = new Headers(headers);
  own.append("Vary", "Accept-Encoding");
  if (coding) own.set("Content-Encoding", coding);
  return own;
}
