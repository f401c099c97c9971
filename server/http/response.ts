import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import { once } from "../once.ts";
import { boundedBody } from "./bounded-body.ts";
import { HttpError } from "./error.ts";
import { rawQuery, shortHeader } from "./request.ts";

/** @param input the body of a POST, as its route reads it. */
export type Handler = (request: Request, input?: unknown) => Response | Promise<Response>;

export type HeaderMap = Readonly<Record<string, string>>;

interface ResponseOptions {
  readonly headers: Headers;
  readonly status?: number;
  /** Chooses a compression. Without a request, the text is sent as it is. */
  readonly request?: Request;
  /** Adds an entity tag, and answers a request that has this version with 304. */
  readonly tagged?: boolean;
}

export function respond(text: string, options: ResponseOptions): Response {
  const { headers, status = 200, request, tagged = false } = options;
  if (!request) return new Response(boundedBody(text), { status, headers });
  // Compressing a short text takes longer than making it.
  const coding = text.length < MIN_COMPRESSED ? undefined : chooseCoding(request, FASTEST);
  const coded = codedHeaders(headers, coding);
  if (tagged) {
    const etag = codedEtag(makeEtag(text), coding);
    coded.set("ETag", etag);
    if (isNotModified(request, etag)) return notModified(coded);
  }
  const body = boundedBody(coding ? compressFast(text, coding) : text);
  return new Response(body, { status, headers: coded });
}

const MIN_COMPRESSED = 4_096;

interface FixedOptions {
  /** Composed at the first request, when the site's own origin is known. */
  headers(): Headers;
  /** Another status than 200 has no entity tag. */
  readonly status?: number;
  /** false for content that is short or compressed already. */
  readonly compressed?: boolean;
}

/**
 * Responds with content that never changes while the server runs: composed, compressed and tagged
 * once. Another thread compresses, because the best compression takes long.
 */
export function respondFixed(
  compose: () => string | Uint8Array<ArrayBuffer>,
  { headers: headersOf, status = 200, compressed = true }: FixedOptions,
): Handler {
  const content = once(compose);
  const handlers = new Map<Coding | undefined, Handler>();
  const keep = (coding: StoredCoding | undefined, coded: string | Uint8Array<ArrayBuffer>) => {
    const headers = compressed ? codedHeaders(headersOf(), coding) : new Headers(headersOf());
    const etag = status === 200 ? codedEtag(makeEtag(content()), coding) : undefined;
    // Not a `boundedBody`: all responses share this one Blob, so slow readers cost no memory.
    const handle = createHandler(new Blob([coded]), headers, { status, etag });
    handlers.set(coding, handle);
    return handle;
  };
  const prepare = (coding: StoredCoding | undefined): Handler => {
    if (!coding) return keep(coding, content());
    const ready = compressWell(content(), coding).then((coded) => keep(coding, coded));
    const wait: Handler = async (request) => (await ready)(request);
    handlers.set(coding, wait);
    return wait;
  };
  return (request) => {
    const coding = compressed ? chooseCoding(request, SMALLEST) : undefined;
    return (handlers.get(coding) ?? prepare(coding))(request);
  };
}

/** Responds with a short text that never changes. */
export const respondPrepared = (text: string, headers: Headers): ((request: Request) => Response) =>
  createHandler(text, new Headers(headers), { status: 200, etag: makeEtag(text) });

function createHandler(
  body: string | Blob,
  headers: Headers,
  { status, etag }: { readonly status: number; readonly etag: string | undefined },
): (request: Request) => Response {
  if (etag === undefined) return () => new Response(body, { status, headers });
  headers.set("ETag", etag);
  return (request) =>
    isNotModified(request, etag) ? notModified(headers) : new Response(body, { status, headers });
}

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
export function errorResponse(error: HttpError, headers: HeaderMap = {}): Response {
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

function notModified(headers: Headers): Response {
  const bare = new Headers(headers);
  bare.delete("Content-Type");
  bare.delete("Content-Encoding");
  return new Response(null, { status: 304, headers: bare });
}

const makeEtag = (body: string | Uint8Array<ArrayBuffer>): string =>
  `"${new Bun.CryptoHasher("sha256").update(body).digest("base64url").slice(0, 27)}"`;

/** True when the client already has this version (RFC 9110, 13.1.2). */
function isNotModified(request: Request, etag: string): boolean {
  const known = shortHeader(request, "if-none-match");
  if (known === null) return false;
  return (
    known.trim() === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}

/** A strong tag names one coding of a text (RFC 9110, 8.8.3). */
const codedEtag = (etag: string, coding: Coding | undefined): string =>
  coding ? etag.replace(/"$/, `-${coding}"`) : etag;

function codedHeaders(headers: Headers, coding: Coding | undefined): Headers {
  const copy = new Headers(headers);
  copy.append("Vary", "Accept-Encoding");
  if (coding) copy.set("Content-Encoding", coding);
  return copy;
}

type Coding = StoredCoding | "zstd";

type StoredCoding = "br" | "gzip";

/** The codings for a text that is sent many times, the one with the smallest result first. */
const SMALLEST: readonly StoredCoding[] = ["br", "gzip"];

/** The codings for a text that is sent once: with little effort, zstd takes half the time and saves more. */
const FASTEST: readonly Coding[] = ["zstd", ...SMALLEST];

/** Selects a coding by the request's Accept-Encoding (RFC 9110, 12.5.3). */
function chooseCoding<Offered extends Coding>(
  request: Request,
  codings: readonly Offered[],
): Offered | undefined {
  const accepted = new Map(
    (shortHeader(request, "accept-encoding") ?? "")
      .toLowerCase()
      .split(",")
      .map((item) => item.split(";").map((part) => part.trim()))
      .map(([name = "", weight]) => [name, weight !== undefined && /^q=0(?:\.0*)?$/.test(weight)]),
  );
  return codings.find((coding) => accepted.get(coding) === false);
}

/** Compresses a text that is sent many times. Brotli's 11 takes four times as long as 10 and saves two percent. */
const compressWell = (
  content: string | Uint8Array,
  coding: StoredCoding,
): Promise<Buffer<ArrayBuffer>> =>
  coding === "gzip"
    ? promisify(gzip)(content, { level: 9 })
    : promisify(brotliCompress)(content, brotliQuality(10));

/** Compresses a text that is sent once, with the least effort of each coding. */
function compressFast(text: string, coding: Coding): Buffer<ArrayBuffer> {
  // A copy, because the type of Bun's buffer also allows shared memory.
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
  if (rawQuery(url).length > MAX_REDIRECTED) {
    throw new HttpError("payload_too_large", "the query is too long to redirect");
  }
  // `URL` encodes characters that no header takes, such as ✓: Bun does not where the Host is unusable.
  const { search } = new URL(`?${rawQuery(url)}`, "http://localhost");
  return new Response(null, { status, headers: { Location: path + search } });
}

/** A tool's longest input, with each byte percent-encoded, and other parameters beside it. */
const MAX_REDIRECTED = 65_536;
