import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import { once } from "../once.ts";
import type { HttpError } from "./error.ts";
import { queryOf } from "./request.ts";
import { boundedBody } from "./unsent.ts";

export type Handler = (request: Request) => Response | Promise<Response>;

export type HeaderMap = Readonly<Record<string, string>>;

/** A response with data. Its headers come from `dataHeaders`. */
export const dataResponse = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Headers,
  status = 200,
): Response => new Response(boundedBody(body), { status, headers });

/** The headers of data, composed once because composing takes longer than responding. */
export const dataHeaders = (headers: HeaderMap, type = JSON_TYPE): Headers =>
  new Headers({ ...DATA_HEADERS, "Content-Type": type, ...headers });

const JSON_TYPE = "application/json";

/** A browser that opens data as a document must run and embed nothing. */
const DATA_HEADERS: HeaderMap = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

/** Scripts of any site may read the response: nothing depends on a cookie or a key. */
export const CORS_HEADERS: HeaderMap = {
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
};

/** The body of every error, with the status of its code. */
export function errorResponse(error: HttpError, headers: HeaderMap): Response {
  const body = { error: { code: error.code, message: error.message } };
  return new Response(JSON.stringify(body), {
    status: error.status,
    headers: {
      ...DATA_HEADERS,
      "Content-Type": JSON_TYPE,
      "Cache-Control": "no-store",
      ...error.headers,
      ...headers,
    },
  });
}

/** Short or compressed data that never changes while the server runs: tagged once, sent as it is. */
export function staticData(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Headers,
): (request: Request) => Response {
  const etag = etagOf(body);
  const withTag = new Headers(headers);
  withTag.set("ETag", etag);
  return (request) =>
    isNotModified(request, etag) ? notModified(withTag) : dataResponse(body, withTag);
}

function notModified(headers: Headers): Response {
  const own = new Headers(headers);
  own.delete("Content-Type");
  own.delete("Content-Encoding");
  return new Response(null, { status: 304, headers: own });
}

/** A strong entity tag of a body. */
const etagOf = (body: string | Uint8Array<ArrayBuffer>): string =>
  `"${new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 27)}"`;

/** Whether the client already has this version (RFC 9110, 13.1.2). */
function isNotModified(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match");
  if (known === null) return false;
  return (
    known.trim() === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}

/**
 * A text that never changes while the server runs: composed, compressed and tagged once. Another
 * thread compresses, because the best compression takes long.
 */
export function staticText(compose: () => string, headersOf: () => Headers, status = 200): Handler {
  const text = once(compose);
  const responders = new Map<Coding | undefined, Handler>();
  const keep = (coding: SmallCoding | undefined, content: string | Buffer<ArrayBuffer>) => {
    // Not bounded: all responses share this one body.
    const body = new Blob([content]);
    const headers = codedHeaders(headersOf(), coding);
    const etag = codedEtag(etagOf(text()), coding);
    if (status === 200) headers.set("ETag", etag);
    const respond: Handler = (request) =>
      status === 200 && isNotModified(request, etag)
        ? notModified(headers)
        : new Response(body, { status, headers });
    responders.set(coding, respond);
    return respond;
  };
  const prepare = (coding: SmallCoding | undefined): Handler => {
    if (!coding) return keep(coding, text());
    const ready = compressWell(text(), coding).then((content) => keep(coding, content));
    const wait: Handler = async (request) => (await ready)(request);
    responders.set(coding, wait);
    return wait;
  };
  return (request) => {
    const coding = codingFor(request, SMALLEST);
    return (responders.get(coding) ?? prepare(coding))(request);
  };
}

/** A text made for one request, with an entity tag, or 304 for a client that has it. */
export function withEtag(request: Request, text: string, headers: Headers): Response {
  const coding = codingOf(request, text);
  const own = codedHeaders(headers, coding);
  const etag = codedEtag(etagOf(text), coding);
  own.set("ETag", etag);
  return isNotModified(request, etag) ? notModified(own) : codedResponse(text, coding, own);
}

/** A text made for one request. */
export function compressedText(
  request: Request,
  text: string,
  headers: Headers,
  status = 200,
): Response {
  const coding = codingOf(request, text);
  return codedResponse(text, coding, codedHeaders(headers, coding), status);
}

const codedResponse = (
  text: string,
  coding: Coding | undefined,
  headers: Headers,
  status = 200,
): Response =>
  new Response(boundedBody(coding ? compressFast(text, coding) : text), { status, headers });

/** A strong tag names one coding of a text (RFC 9110, 8.8.3). */
const codedEtag = (etag: string, coding: Coding | undefined): string =>
  coding ? etag.replace(/"$/, `-${coding}"`) : etag;

function codedHeaders(headers: Headers, coding: Coding | undefined): Headers {
  const own = new Headers(headers);
  own.append("Vary", "Accept-Encoding");
  if (coding) own.set("Content-Encoding", coding);
  return own;
}

type Coding = SmallCoding | "zstd";

type SmallCoding = "br" | "gzip";

/** For a text that is sent many times, the coding with the smallest results first. */
const SMALLEST: readonly SmallCoding[] = ["br", "gzip"];

/** For a text that is sent once: with little effort, zstd takes half as long and gives less. */
const FASTEST: readonly Coding[] = ["zstd", ...SMALLEST];

/** The coding of a text made for one request: compressing a short one takes longer than making it. */
const codingOf = (request: Request, text: string): Coding | undefined =>
  text.length < MIN_COMPRESSED ? undefined : codingFor(request, FASTEST);

const MIN_COMPRESSED = 4_096;

/** Selects a coding by the request's Accept-Encoding (RFC 9110, 12.5.3). */
function codingFor<Offered extends Coding>(
  request: Request,
  codings: readonly Offered[],
): Offered | undefined {
  const accepted = new Map(
    (request.headers.get("accept-encoding") ?? "")
      .toLowerCase()
      .split(",")
      .map((item) => item.split(";").map((part) => part.trim()))
      .map(([name = "", weight]) => [name, weight !== undefined && /^q=0(?:\.0*)?$/.test(weight)]),
  );
  return codings.find((coding) => accepted.get(coding) === false);
}

/** For a text sent many times. Brotli's 11 takes four times as long as 10 and saves two percent. */
const compressWell = (text: string, coding: SmallCoding): Promise<Buffer<ArrayBuffer>> =>
  coding === "gzip"
    ? promisify(gzip)(text, { level: 9 })
    : promisify(brotliCompress)(text, brotliQuality(10));

/** For a text sent once: each coding with its least effort. */
function compressFast(text: string, coding: Coding): Buffer<ArrayBuffer> {
  // The type of Bun's buffer allows memory that is shared, that of a copy does not.
  if (coding === "zstd") return Buffer.from(Bun.zstdCompressSync(text, { level: 1 }));
  return coding === "gzip"
    ? gzipSync(text, { level: 1 })
    : brotliCompressSync(text, brotliQuality(1));
}

const brotliQuality = (quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality },
});

/** A redirect to another path, with the query of the request. */
export function redirect(status: 303 | 308, path: string, url: string): Response {
  // A URL without a usable Host is as it was sent, and a header takes no such character as ✓.
  const { search } = new URL(`?${queryOf(url)}`, "http://localhost");
  return new Response(null, { status, headers: { Location: path + search } });
}
