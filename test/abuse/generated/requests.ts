import fc from "fast-check";
import type { OpenApiDocument, Operation, PathItem } from "../../../src/openapi/document.ts";
import { dereference, isObject } from "../../openapi/document-parts.ts";
import { contentTypes, type Headers, headers } from "./headers.ts";
import { type Payload, payloads } from "./payloads.ts";

export interface GeneratedRequest {
  readonly path: string;
  readonly method: string;
  /** Empty, or with its question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
  /** Bytes of each chunk; undefined for a body that is sent with its length. */
  readonly chunk: number | undefined;
  /** The input's JSON, where nothing stands in the way of its being read. */
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

/** What a query may have, and what it may not but often has. */
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
  // What is too long for a request line is no matter of the input.
  const isInQuery = place === "query" && payload.bytes.length < 50_000;
  const isInBody = place === "body";
  const input = isInQuery ? `input=${encodeURIComponent(payload.bytes.toString())}` : "";
  const query = input + otherQuery;
  const isRead = usual === "query" ? isInQuery && otherQuery === "" : isInBody && type.isJson;
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
