import { readJson } from "../../src/json-text.ts";
import { HttpError } from "./error.ts";
import { SMALL_BYTES, waitForTurn, waitForTurnOfBody } from "./request-queue.ts";

/** The id that names a request in the log and in its answer. It is made when it is needed. */
export function idOf(request: Request): string {
  const id = ids.get(request) ?? crypto.randomUUID();
  ids.set(request, id);
  return id;
}

const ids = new WeakMap<Request, string>();

/**
 * Waits for a request's turn. It returns undefined for one that may start now: to await a promise
 * would let others of the same tick of the event loop start first.
 *
 * @throws {HttpError} when the client has closed the connection meanwhile, for the log alone.
 */
export const takeTurn = (request: Request, bytes: number): Promise<void> | undefined =>
  waitForTurn(bytes)?.then(() => requireClient(request));

function requireClient(request: Request): void {
  if (request.signal.aborted) throw new HttpError("invalid_request", "the client disconnected");
}

/**
 * A header whose value is a list. One that is longer than programs send counts as absent: to read the
 * 256 KiB that may arrive would take long.
 */
export function shortHeader(request: Request, name: string): string | null {
  const value = request.headers.get(name);
  return value !== null && value.length > MAX_HEADER ? null : value;
}

const MAX_HEADER = 1_024;

/** The body that a POST must have. */
export interface ExpectedBody {
  /** What the handler gets of it: the value of JSON, the text of JSON, or the text of a form. */
  readonly kind: "json" | "json text" | "form";
  /** The size of the body, in bytes. */
  readonly limit: number;
  /** Throws an HttpError for a page of another site. */
  readonly checkOrigin?: (request: Request) => void;
}

/**
 * Reads the body of a POST into the input of its handler.
 *
 * @throws {HttpError} for a wrong type, origin or size, or for what is no JSON.
 */
export async function readInput(request: Request, expected: ExpectedBody): Promise<unknown> {
  requireNoCoding(request);
  const { type, pattern } = expected.kind === "form" ? FORM : JSON_TEXT;
  if (!pattern.test(shortHeader(request, "content-type") ?? "")) {
    throw new HttpError("unsupported_media_type", `Content-Type must be ${type}`);
  }
  expected.checkOrigin?.(request);
  const body = await readBody(request, expected.limit);
  if (expected.kind === "form") return new TextDecoder().decode(body);
  const text = textOfBody(body);
  return expected.kind === "json" ? readJson(text) : text;
}

/** JSON, with any parameters. A comma outside quotes would be a second Content-Type. */
const JSON_TEXT = {
  type: "application/json",
  pattern: /^application\/json[ \t]*(?:;(?:[^",]|"(?:[^"\\]|\\.)*")*)?$/i,
};

/** A form without files, with any parameters: the pages upload none. */
const FORM = {
  type: "application/x-www-form-urlencoded",
  pattern: /^application\/x-www-form-urlencoded[ \t]*(?:;[^,]*)?$/i,
};

/** Rejects a compressed body: a proxy that decodes it would see another text than the server. */
function requireNoCoding(request: Request): void {
  const coding = request.headers.get("content-encoding") || "identity";
  if (coding.toLowerCase() === "identity") return;
  throw new HttpError("unsupported_media_type", "Content-Encoding must be identity", {
    "Accept-Encoding": "identity",
  });
}

/**
 * Reads a request's body of at most `limit` bytes. A longer one is rejected by its announced length
 * or while it arrives, so that an endless sender is answered at once.
 */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > limit) throw tooLarge(limit);
  try {
    if (announced === null) {
      const body = await readBounded(request.body, limit, () => tooLarge(limit));
      // Small ones do not wait for the end of the tick: Bun takes a trailer after the chunks for another
      // request, and would close the connection.
      await takeTurn(request, body.length);
      return body;
    }
    const body = await request.bytes();
    const turn = waitForTurnOfBody(body.length);
    if (turn) {
      await turn;
      // Not for a small body: it does not wait long, and the check takes a tenth of its time.
      if (body.length > SMALL_BYTES) requireClient(request);
    }
    return body;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // The client disconnected: nobody reads this, but it is logged as 400, not 500.
    throw new HttpError("invalid_request", "the body must be sent to its end");
  }
}

/**
 * Reads a body of at most `limit` bytes.
 *
 * @param tooLong makes the error that is thrown as soon as the body exceeds the limit.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = (limit: number): HttpError =>
  new HttpError("payload_too_large", `the input may have at most ${limit} bytes`);

/** UTF-8 without a byte order mark. Other bytes are rejected, because a decoder would replace them. */
function textOfBody(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new HttpError("invalid_request", "the body must be UTF-8");
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The JSON value of the query parameter `input` of at most `limit` bytes; undefined when it is absent. */
export function inputParameter(url: string, limit: number): unknown {
  const pairs = queryPairs(url);
  const [value, second] = pairs.flatMap(([key, value]) => (key === "input" ? value : []));
  if (second !== undefined) throw new HttpError("invalid_request", "input must be given once");
  if (pairs.some(([key]) => key.startsWith("input["))) {
    const wanted = "input must be one text of JSON, percent-encoded, in place of input[…]";
    throw new HttpError("invalid_request", wanted);
  }
  if (value === undefined) return undefined;
  const input = decode(value, "input");
  if (Buffer.byteLength(input) > limit) throw tooLarge(limit);
  return readJson(input);
}

/**
 * The items of a list in the query, in each way in which generated clients write one: `name=a,b`,
 * `name=a&name=b` and `name[]=a&name[]=b`; undefined when it is absent.
 */
export function listParameter(url: string, name: string): readonly string[] | undefined {
  const values = queryPairs(url)
    .filter(([key]) => key === name || key === `${name}[]`)
    .map(([, value]) => decode(value, name));
  return values.length === 0 ? undefined : values.flatMap((value) => value.split(","));
}

/**
 * The parameters of a query, with their values as they were sent.
 *
 * Read from the text, because URLSearchParams would let broken escapes through.
 */
function queryPairs(url: string): readonly (readonly [name: string, value: string])[] {
  const pairs = rawQuery(url).split("&", MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw new HttpError(
      "payload_too_large",
      `the query may have at most ${MAX_PARAMETERS} parameters`,
    );
  }
  return pairs.map((pair) => {
    const [key = "", value = ""] = pair.split(/=(.*)/s, 2);
    return [key.includes("%") ? decodeOr(key, "") : key, value];
  });
}

/** More would take long: the query may have a quarter of a megabyte. */
const MAX_PARAMETERS = 1_000;

function decode(value: string, name: string): string {
  const decoded = decodeOr(value, undefined);
  if (decoded !== undefined) return decoded;
  throw new HttpError("invalid_request", `${name} must be percent-encoded UTF-8`);
}

function decodeOr<Fallback>(text: string, fallback: Fallback): string | Fallback {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return fallback;
  }
}

/** Everything after the first `?`. */
export const rawQuery = (url: string): string => /\?(.*)$/s.exec(url)?.[1] ?? "";

/** Rejects a POST from another site's page. Browsers send an Origin with every POST. */
export function rejectOtherOrigins(request: Request, origin: string): void {
  const sent = request.headers.get("origin");
  if (sent !== null && sent !== origin) throw new HttpError("origin_rejected");
}

/**
 * The same for requests without side effects: Sec-Fetch-Site: same-origin is enough, so that the
 * pages also work under other host names of the server.
 */
export function rejectOtherSites(request: Request, origin: string): void {
  if (request.headers.get("sec-fetch-site") !== "same-origin") rejectOtherOrigins(request, origin);
}

/**
 * The path of a request's URL, which is relative where the Host was unusable. `URL` would reject
 * some hosts that Bun lets through, such as `a:99999`.
 */
export function rawPath(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const [path = ""] = url.slice(start).split(/[?#]/, 1);
  return path;
}

/** The time since a start, in milliseconds, for a log. */
export const elapsedSince = (started: number): number =>
  Math.round((performance.now() - started) * 1000) / 1000;
