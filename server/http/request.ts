import type { Context } from "elysia";
import { parseJson } from "../../src/parse-json.ts";
import { HttpError, inputTooLarge } from "./http-error.ts";
import { waitForTurn } from "./schedule-request.ts";

/** The id that names a request in the log and in its answer. It is made when it is needed. */
export function getRequestId(request: Request): string {
  const id = ids.get(request) ?? crypto.randomUUID();
  ids.set(request, id);
  return id;
}

const ids = new WeakMap<Request, string>();

/** A header that is a list. What is longer than programs send counts as absent: 256 KiB take 20 ms. */
export function readHeader({ headers }: Request, name: string): string {
  const value = headers.get(name) ?? "";
  return value.length > 1_024 ? "" : value;
}

/** A parser of Elysia for JSON of at most `limit` bytes, which loses no key that is given twice. */
export const jsonParser =
  (limit: number) =>
  async ({ request }: Pick<Context, "request">) =>
    parseJson(await readBodyText(request, "application/json", limit));

/** Reads a body: its type is checked before its size, and both before it is read. */
export async function readBodyText(request: Request, type: string, limit: number): Promise<string> {
  const { headers } = request;
  // A proxy that decodes would see another text than the server.
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

/** UTF-8 without a byte order mark. Other bytes are rejected, because a decoder would replace them. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A body that is too long is rejected by its announced length, or while it arrives. */
async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > limit) throw inputTooLarge(limit);
  try {
    if (announced !== null) return await request.bytes();
    return await readBounded(request.body, limit, () => inputTooLarge(limit));
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

/** The JSON value of the query parameter `input` of at most `limit` bytes; undefined when it is absent. */
export function parseInputParameter(url: string, limit: number): unknown {
  const pairs = queryPairs(url);
  const [input, second] = pairs.filter(([name]) => name === "input").map(decodeValue);
  if (second !== undefined) throw new HttpError("invalid_request", "input must be given once");
  if (pairs.some(([name]) => name.startsWith("input["))) {
    const wanted = "input must be one text of JSON, percent-encoded, in place of input[…]";
    throw new HttpError("invalid_request", wanted);
  }
  if (input === undefined) return undefined;
  if (Buffer.byteLength(input) > limit) throw inputTooLarge(limit);
  return parseJson(input);
}

/**
 * The items of a list in the query, in each way in which generated clients write one: `name=a,b`,
 * `name=a&name=b`, `name[]=a`, `name[0]=a` and `name.0=a`; undefined when it is absent.
 */
export function listParameter(url: string, name: string): readonly string[] | undefined {
  const values = queryPairs(url).filter(([key]) => key.split(/[[.]/, 1)[0] === name);
  const [stray] = values.find(([key]) => !/^\w+(?:\[\d*\]|\.\d+)?$/.test(key)) ?? [];
  if (stray !== undefined) {
    const problem = `${name} must be a list, as in ${name}=a,b, in place of ${stray}`;
    throw new HttpError("invalid_request", problem);
  }
  return values.length === 0 ? undefined : values.map(decodeValue).join(",").split(",");
}

/**
 * The parameters of a query with their values as they were sent. Not Elysia's `query`, which keeps
 * the last of two, and not URLSearchParams, which lets broken escapes through.
 */
const queryPairs = (url: string): [name: string, value: string][] =>
  readQuery(url)
    .split("&")
    .map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s, 2);
      // Not decodeURIComponent: to catch the errors of thousands takes long.
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

/** The query of a URL. @throws {HttpError} for one that is longer than an input can be. */
export function readQuery(url: string): string {
  const query = rawQuery(url);
  if (query.length <= MAX_QUERY) return query;
  throw new HttpError("payload_too_large", `the query may have at most ${MAX_QUERY} characters`);
}

/** Everything after the first `?`. */
export const rawQuery = (url: string): string => /\?(.*)$/s.exec(url)?.[1] ?? "";

/** A tool's longest input, with each byte percent-encoded, and other parameters beside it. */
const MAX_QUERY = 65_536;

/**
 * The path of a request's URL, which is relative where the Host was unusable. `URL` would reject
 * some hosts that Bun lets through, such as `a:99999`.
 */
export function getPath(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  const target = url.slice(start);
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}
