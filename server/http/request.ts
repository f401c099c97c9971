import type { Context } from "elysia";
import { parseJson } from "../../src/parse-json.ts";
import { HttpError, inputTooLarge } from "./http-error.ts";
import { waitForTurn } from "./schedule-request.ts";

/** The ID of a request in the log and in its response, created on first use. */
export function getRequestId(request: Request): string {
  const id = ids.get(request) ?? crypto.randomUUID();
  ids.set(request, id);
  return id;
}

const ids = new WeakMap<Request, string>();

/** Reads a header that may hold a list. No real client sends a long one, and parsing 256 KiB takes 20 ms. */
export function readHeader({ headers }: Request, name: string): string {
  const value = headers.get(name) ?? "";
  return value.length > 1_024 ? "" : value;
}

/** Creates an Elysia parser for JSON of at most `limit` bytes that rejects duplicate keys. */
export const jsonParser =
  (limit: number) =>
  async ({ request }: Pick<Context, "request">) =>
    parseJson(await readBodyText(request, "application/json", limit));

/** Checks the type first, then the size, then reads the body. */
export async function readBodyText(request: Request, type: string, limit: number): Promise<string> {
  const { headers } = request;
  // A decoding proxy would see another body than we do.
  if ((headers.get("content-encoding") || "identity").toLowerCase() !== "identity") {
    const accepted = { "accept-encoding": "identity" };
    throw new HttpError("unsupported_media_type", "Content-Encoding must be identity", accepted);
  }
  // A comma would be a second Content-Type.
  const [sent = ""] = readHeader(request, "content-type").split(/[ \t]*;[^,]*$/, 1);
  if (sent.toLowerCase() !== type) {
    throw new HttpError("unsupported_media_type", `Content-Type must be ${type}`);
  }
  const bytes = await readBody(request, limit);
  await waitForTurn(bytes.length);
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new HttpError("invalid_request", "the body must be UTF-8");
  }
}

/** Keeps a byte order mark, which JSON rejects, and throws for invalid bytes. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Rejects an oversized body by its Content-Length, or while it arrives. */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > limit) throw inputTooLarge(limit);
  try {
    if (announced !== null) return await request.bytes();
    return await readBounded(request.body, limit, () => inputTooLarge(limit));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // The client disconnected. Log it as 400, not 500.
    throw new HttpError("invalid_request", "the body ended too early");
  }
}

/**
 * Reads a body of at most `limit` bytes.
 *
 * @param tooLong creates the error for a longer body.
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

/** Parses the query parameter `input`, of at most `limit` bytes. */
export function parseInputParameter(url: string, limit: number): unknown {
  const pairs = queryPairs(url);
  const [input, second] = pairs.filter(([name]) => name === "input").map(decodeValue);
  if (second !== undefined) throw new HttpError("invalid_request", "input must be given once");
  if (pairs.some(([name]) => name.startsWith("input["))) {
    const wanted = "input must be one percent-encoded JSON value, not input[…]";
    throw new HttpError("invalid_request", wanted);
  }
  if (input === undefined) return undefined;
  if (Buffer.byteLength(input) > limit) throw inputTooLarge(limit);
  return parseJson(input);
}

/**
 * Reads a list from the query, in every syntax of generated clients: `name=a,b`, `name=a&name=b`,
 * `name[]=a`, `name[0]=a` and `name.0=a`.
 */
export function listParameter(url: string, name: string): readonly string[] | undefined {
  const values = queryPairs(url).filter(([key]) => key.split(/[[.]/, 1)[0] === name);
  const [stray] = values.find(([key]) => !/^\w+(?:\[\d*\]|\.\d+)?$/.test(key)) ?? [];
  if (stray !== undefined) {
    const problem = `${name} must be a list, such as ${name}=a,b, instead of ${stray}`;
    throw new HttpError("invalid_request", problem);
  }
  return values.length === 0 ? undefined : values.map(decodeValue).join(",").split(",");
}

/**
 * Splits a query into names and raw values. Elysia's `query` drops duplicates, and URLSearchParams
 * accepts broken escapes.
 */
const queryPairs = (url: string): [name: string, value: string][] =>
  readQuery(url)
    .split("&")
    .map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
      // Not decodeURIComponent: catching thousands of its errors is slow.
      const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
      return [name.replace(/%([\da-f]{2})/gi, byte), value];
    });

function decodeValue([name, value]: [string, string]): string {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    throw new HttpError("invalid_request", `${name} must be percent-encoded UTF-8`);
  }
}

/** @throws {HttpError} if the query is longer than any input. */
export function readQuery(url: string): string {
  const query = rawQuery(url);
  if (query.length <= MAX_QUERY_LENGTH) return query;
  throw new HttpError(
    "payload_too_large",
    `the query may have at most ${MAX_QUERY_LENGTH} characters`,
  );
}

/** Everything after the first `?`. */
export const rawQuery = (url: string): string => /\?(.*)$/s.exec(url)?.[1] ?? "";

/** The longest input with each byte percent-encoded, and room for other parameters. */
const MAX_QUERY_LENGTH = 65_536;

/**
 * Extracts the path of a request's URL, which is relative if the Host is unusable. `URL` would reject
 * hosts that Bun accepts, such as `a:99999`.
 */
export function getPath(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const target = url.slice(start);
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}
