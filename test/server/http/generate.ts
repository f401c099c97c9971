import fc from "fast-check";
import { MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/index.ts";
import type { JsonSchema } from "../../../src/index.ts";
import type { OpenApiDocument, Operation, PathItem } from "../../../src/openapi/document.ts";
import { inputsOf } from "../../schemas/from-schema.ts";
import { dereference, isObject } from "../../src/openapi/support.ts";
import { inChunks } from "../support/http.ts";

type Headers = readonly (readonly [name: string, value: string])[];

/** The header of our own servers at the signup; some of the requests have it. */
export const AUTHORIZATION = "Bearer of-a-server-of-ours";

const header = (name: string, ...values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => [name, value] as const);

/** Headers that change what a server does, or would if it believed them. */
const telling = fc.oneof(
  header("If-None-Match", "*", '"a"', 'W/"a", "b"', "", '"'.repeat(99)),
  header("Origin", "null", "https://evil.test", "http://localhost", "x".repeat(5_000)),
  header("Authorization", AUTHORIZATION, "Bearer x", "Basic eDp5", "Bearer"),
  header("Accept", "*/*", "text/html", "application/xml;q=0", "text/html;q=x,,;"),
  header("Accept-Encoding", "gzip", "br;q=1, *;q=0", "identity;q=0"),
  header("Content-Encoding", "gzip", "br", "identity"),
  header("Range", "bytes=0-1", "bytes=-1", "bytes=9-2"),
  header("X-Forwarded-For", "127.0.0.1", "::1, 1.2.3.4", "'; DROP TABLE signups"),
  header("X-Forwarded-Host", "evil.test"),
  header("X-Http-Method-Override", "DELETE", "POST"),
  header("X-Original-Url", "/api/tools", "/../../etc/passwd"),
  header("Access-Control-Request-Method", "DELETE"),
  header("Cookie", "a=b", "=".repeat(4_000)),
  header("Connection", "close", "keep-alive", "Content-Length"),
  header("If-Modified-Since", "Thu, 01 Jan 2037 00:00:00 GMT", "never"),
);

/** Everything that a header may have: what is visible, blanks, and bytes above ASCII. */
const anyHeader = fc.tuple(
  fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/),
  fc
    .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 40 })
    .map((codes) => codes.filter((code) => code < 0x7f || code > 0x9f))
    .map((codes) => String.fromCharCode(...codes)),
);

const hosts = header("Host", "a", "localhost", "a b", "evil.test:99999", "[::1", "x/api/tools?y");

/** A Host, and now and then what else there may be. */
const headers: fc.Arbitrary<Headers> = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: fc.constant(["Host", "a"] as const) }, hosts),
    fc.array(fc.oneof({ weight: 4, arbitrary: telling }, anyHeader), { maxLength: 3 }),
  )
  .map(([host, others]) => [host, ...others]);

const JSON_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "APPLICATION/JSON",
  'application/json;a="b"',
];
const OTHER_TYPES = [
  "",
  "text/plain",
  "text/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=application/json",
  "application/jsonx",
  "application/json, text/plain",
  "application/problem+json",
];

/** Content types of bodies, and if they are JSON. */
const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...JSON_TYPES).map((text) => ({ text, isJson: true })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...OTHER_TYPES).map((text) => ({ text, isJson: false })),
  },
);

interface Payload {
  readonly bytes: Buffer;
  /** Present when the bytes are JSON that every reader takes for the same. */
  readonly json?: string;
}

/** Half of a surrogate pair is JSON to some and none to others. */
const clear = (json: string): Payload => ({
  bytes: Buffer.from(json),
  ...(!/\\ud[89a-f]/.test(json) && { json }),
});

const texts = (schema: JsonSchema): fc.Arbitrary<string> =>
  inputsOf(schema).map((input) => JSON.stringify(input));

/** JSON with a few characters cut out and a few put in. */
const spoilt = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc
    .tuple(texts(schema), fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    })
    .map((text) => ({ bytes: Buffer.from(text) }));

const sizes = fc.oneof(
  ...[MAX_SIGNUP_BYTES, MAX_TOOL_INPUT_BYTES].map((limit) =>
    fc.integer({ min: limit - 1, max: limit + 2 }),
  ),
  fc.constantFrom(40_000, 1_100_000),
);

/** JSON that white space brings to a size at a limit or above it. */
const padded = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc
    .tuple(texts(schema), sizes)
    .map(([text, size]) => clear(text + " ".repeat(Math.max(0, size - Buffer.byteLength(text)))));

const noise: fc.Arbitrary<Payload> = fc
  .uint8Array({ maxLength: 200 })
  .map((bytes) => ({ bytes: Buffer.from(bytes) }));

/** Inputs of a schema: right, nearly right, and hostile. */
const payloads = (schema: JsonSchema): fc.Arbitrary<Payload> =>
  fc.oneof(
    { weight: 12, arbitrary: texts(schema).map(clear) },
    { weight: 3, arbitrary: spoilt(schema) },
    { weight: 1, arbitrary: padded(schema) },
    { weight: 1, arbitrary: noise },
  );

export interface GeneratedRequest {
  readonly path: string;
  readonly method: string;
  /** Empty, or with its question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
  /** Bytes of each chunk; undefined for a body that is sent with its length. */
  readonly chunk: number | undefined;
  /** The input's JSON, if it can be read. */
  readonly json: string | undefined;
}

/** Requests to all that the document describes. */
export const requestsTo = (document: OpenApiDocument): fc.Arbitrary<GeneratedRequest> =>
  fc.oneof(
    ...Object.entries(document.paths).map(([path, item]) => requestsAt(path, item, document)),
  );

function requestsAt(
  path: string,
  item: PathItem,
  document: OpenApiDocument,
): fc.Arbitrary<GeneratedRequest> {
  const operations = Object.entries<Operation>({ ...item });
  const schema = operations
    .map(([, operation]) => dereference(inputSchema(operation), document))
    .find(isObject);
  const documented = operations.map(([method]) => method.toUpperCase());
  return fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom(...documented) },
        { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
      ),
      payload: payloads(schema ?? {}),
      place: fc.oneof(
        { weight: 6, arbitrary: fc.constant("usual" as const) },
        { weight: 1, arbitrary: fc.constantFrom("query", "body", "nowhere") },
      ),
      otherQuery: fc.oneof({ weight: 6, arbitrary: fc.constant("") }, queries),
      headers,
      type: contentTypes,
      chunk: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        fc.integer({ min: 100, max: 9_000 }),
      ),
    })
    .map((parts) => compose(path, parts));
}

/** Without CONNECT, which ends the talk of requests. */
const METHODS = ["HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "POST", "GET"];

/** Of the body, or of the query parameter that takes its place. */
const inputSchema = ({ requestBody, parameters = [] }: Operation) =>
  [requestBody, ...parameters]
    .flatMap((place) => (place && "content" in place ? [place.content] : []))
    .map((content) => content?.["application/json"]?.schema)
    .find(isObject);

/** Parts of a query, valid and common invalid ones. */
const queryParts = fc.constantFrom(
  ...["input", "=", "&", "%", "%7B", "%zz", "%ff", "%00", "+", "?", "/", "{", "}", '"', "a", "[]"],
  ...["%69nput=", "&input=", "%ED%A0%80", "%5cud800", "&a=b", "é", "\\", "__proto__", "1"],
);
const queries = fc.array(queryParts, { maxLength: 8 }).map((parts) => `&${parts.join("")}`);

interface Parts {
  readonly method: string;
  readonly payload: Payload;
  readonly place: string;
  readonly otherQuery: string;
  readonly headers: Headers;
  readonly type: { readonly text: string; readonly isJson: boolean };
  readonly chunk: number | undefined;
}

function compose(path: string, parts: Parts): GeneratedRequest {
  const { method, payload, otherQuery, type, chunk } = parts;
  const usual = method === "GET" || method === "HEAD" ? "query" : "body";
  const place = parts.place === "usual" ? usual : parts.place;
  // A request line that is too long says nothing about the input.
  const isInQuery = place === "query" && payload.bytes.length < 50_000;
  const isInBody = place === "body";
  const input = isInQuery ? `input=${encodeURIComponent(payload.bytes.toString())}` : "";
  const query = input + otherQuery;
  // Two fields are one list, which the server rejects even where each is identity.
  const coding = parts.headers.filter(([name]) => name === "Content-Encoding");
  const isEncoded = coding.length > 1 || coding.some(([, value]) => value !== "identity");
  const isRead =
    usual === "query" ? isInQuery && otherQuery === "" : isInBody && type.isJson && !isEncoded;
  return {
    path,
    method,
    query: query === "" ? "" : `?${query}`,
    headers: isInBody ? [...parts.headers, ["Content-Type", type.text]] : parts.headers,
    body: isInBody ? payload.bytes : undefined,
    chunk,
    json: isRead ? payload.json : undefined,
  };
}

/** The bytes of a request, as a client sends them that keeps the connection. */
export function toBytes({ method, path, query, headers, body, chunk }: GeneratedRequest): Buffer {
  const framing = body && (chunk ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`);
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const lines = [`${method} ${path}${query} HTTP/1.1`, ...fields, ...(framing ? [framing] : [])];
  // The query may have characters above ASCII, which many clients send as they are.
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, query === "" ? "latin1" : "utf8");
  return Buffer.concat([head, ...(body ? [chunk ? inChunks(body, chunk) : body] : [])]);
}
