import { promisify } from "node:util";
import { brotliCompress, gzip, gzipSync } from "node:zlib";
import type { Context } from "elysia";
import { readHeader, readQuery } from "./request.ts";

/** The part of Elysia's context that a response needs. */
export type RequestContext = Pick<Context, "request" | "set">;

type Body = string | Uint8Array<ArrayBuffer>;

/**
 * Creates a handler for constant content, which is composed, compressed and tagged once.
 *
 * @param headers called at the first request, when the site's origin is known.
 * @param isText whether to compress the content.
 */
export function cachedHandler(
  compose: () => Body,
  headers: () => Readonly<Record<string, string>>,
  { isText = true, status = 200 } = {},
): (exchange: RequestContext) => Promise<Body | Response> {
  const prepare = async (coding: Coding) => {
    const content = compose();
    return {
      body: await COMPRESSORS[coding](content),
      headers: {
        ...headers(),
        ...(isText && { vary: "Accept-Encoding" }),
        ...(coding !== "identity" && { "content-encoding": coding }),
        ...(status === 200 && { etag: createEtag(content, coding) }),
      },
    };
  };
  const prepared = new Map<Coding, ReturnType<typeof prepare>>();
  return async ({ request, set }) => {
    const coding =
      (isText && CODINGS.find((known) => acceptsEncoding(request, known))) || "identity";
    const preparing = prepared.get(coding) ?? prepare(coding);
    prepared.set(coding, preparing);
    const { body, headers } = await preparing;
    Object.assign(set.headers, headers);
    if (isNotModified(request, headers.etag)) return respondNotModified(set);
    set.status = status;
    return body;
  };
}

type Coding = (typeof CODINGS)[number] | "identity";

const CODINGS = ["br", "gzip"] as const;

/** Asynchronous, in another thread, with the best quality: each content is compressed once. */
const COMPRESSORS: Readonly<Record<Coding, (content: Body) => Body | Promise<Body>>> = {
  br: (content) => promisify(brotliCompress)(content),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
  identity: (content) => content,
};

/**
 * Sends a response made for one request, compressed if it is long enough.
 *
 * @param withEtag whether to add an ETag, and return 304 if the client has the same response.
 */
export function sendText({ request, set }: RequestContext, text: string, withEtag = false) {
  // Compressing a shorter response takes longer than creating it.
  const isCompressed = text.length >= 4_096 && acceptsEncoding(request, "gzip");
  set.headers.vary = "Accept-Encoding";
  if (withEtag) {
    const etag = createEtag(text, isCompressed ? "gzip" : "identity");
    set.headers.etag = etag;
    if (isNotModified(request, etag)) return respondNotModified(set);
  }
  if (!isCompressed) return text;
  set.headers["content-encoding"] = "gzip";
  return gzipSync(text, { level: 1 });
}

function respondNotModified(set: RequestContext["set"]): Response {
  delete set.headers["content-type"];
  delete set.headers["content-encoding"];
  return new Response(null, { status: 304 });
}

/** A strong ETag is different for each coding (RFC 9110, 8.8.3). */
function createEtag(content: Body, coding: Coding): string {
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 27);
  return coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`;
}

/** Whether the client has this version (RFC 9110, 13.1.2). */
function isNotModified(request: Request, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  const known = readHeader(request, "if-none-match");
  return known === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** Whether Accept-Encoding lists the coding with a weight above zero (RFC 9110, 12.5.3). */
const acceptsEncoding = (request: Request, coding: string): boolean =>
  readHeader(request, "accept-encoding")
    .toLowerCase()
    .split(",")
    .some((item) => {
      const [name, weight = "1"] = item.replaceAll(" ", "").split(";q=");
      return name === coding && Number(weight) > 0;
    });

/** Keeps the query. */
export function redirect(set: RequestContext["set"], status: 303 | 308, path: string, url: string) {
  delete set.headers["content-type"];
  // `URL` encodes characters that headers cannot contain, such as ✓. Bun does not always.
  const { search } = new URL(`?${readQuery(url)}`, "http://localhost");
  return new Response(null, { status, headers: { location: path + search } });
}
