import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";
import type { Context } from "elysia";
import { readHeader, readQuery } from "./request.ts";

/** The part of a context of Elysia that an answer needs. */
export type RequestContext = Pick<Context, "request" | "set">;

type Body = string | Uint8Array<ArrayBuffer>;

/**
 * A handler for content that never changes while the server runs: it is composed, compressed and
 * tagged once.
 *
 * @param headers composed at the first request, when the site's own origin is known.
 * @param isText false for content that is short or compressed already.
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
  const forms = new Map<Coding, ReturnType<typeof prepare>>();
  return async ({ request, set }) => {
    const coding =
      (isText && SMALLEST.find((known) => acceptsEncoding(request, known))) || "identity";
    const form = forms.get(coding) ?? prepare(coding);
    forms.set(coding, form);
    const { body, headers } = await form;
    Object.assign(set.headers, headers);
    if (isNotModified(request, headers.etag)) return respondNotModified(set);
    set.status = status;
    return body;
  };
}

type Coding = (typeof SMALLEST)[number] | "identity";

const SMALLEST = ["br", "gzip"] as const;

/** Another thread compresses. Brotli's 11 takes four times as long as 10 and saves two percent. */
const COMPRESSORS: Readonly<Record<Coding, (content: Body) => Body | Promise<Body>>> = {
  br: (content) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
  identity: (content) => content,
};

/**
 * Answers with a text made for one request, compressed where that pays.
 *
 * @param isTagged answers 304 to a client that has the same text already.
 */
export function sendText({ request, set }: RequestContext, text: string, isTagged = false) {
  // Compressing a shorter text takes longer than making it.
  const isCompressed = text.length >= 4_096 && acceptsEncoding(request, "gzip");
  set.headers.vary = "Accept-Encoding";
  if (isTagged) {
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

/** A strong tag names one coding of a text (RFC 9110, 8.8.3). */
function createEtag(content: Body, coding: Coding): string {
  const hash = new Bun.CryptoHasher("sha256").update(content).digest("base64url").slice(0, 27);
  return coding === "identity" ? `"${hash}"` : `"${hash}-${coding}"`;
}

/** True when the client already has this version (RFC 9110, 13.1.2). */
function isNotModified(request: Request, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  const known = readHeader(request, "if-none-match");
  return known === "*" || known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** True when a request's Accept-Encoding names a coding, with a weight above zero (RFC 9110, 12.5.3). */
const acceptsEncoding = (request: Request, coding: string): boolean =>
  readHeader(request, "accept-encoding")
    .toLowerCase()
    .split(",")
    .some((item) => {
      const [name, weight = "1"] = item.replaceAll(" ", "").split(";q=");
      return name === coding && Number(weight) > 0;
    });

/** A redirect to another path, with the query of the request. */
export function redirect(set: RequestContext["set"], status: 303 | 308, path: string, url: string) {
  delete set.headers["content-type"];
  // `URL` encodes characters that no header takes, such as ✓: Bun does not where the Host is unusable.
  const { search } = new URL(`?${readQuery(url)}`, "http://localhost");
  return new Response(null, { status, headers: { location: path + search } });
}
