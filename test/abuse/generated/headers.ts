import fc from "fast-check";

export type Headers = readonly (readonly [name: string, value: string])[];

/** Of the server under test; some of the requests know it. */
export const INGEST_SECRET = "secret-of-the-abusers-of-ours-0001";

const header = (name: string, ...values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => [name, value] as const);

/** Headers that change what a server does, or would if it believed them. */
const telling = fc.oneof(
  header("If-None-Match", "*", '"a"', 'W/"a", "b"', "", '"'.repeat(99)),
  header("Origin", "null", "https://evil.test", "http://localhost", "x".repeat(5_000)),
  header("Authorization", `Bearer ${INGEST_SECRET}`, "Bearer x", "Basic eDp5", "Bearer"),
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

/** Everything that may stand in a header: what is visible, blanks, and bytes above ASCII. */
const anyHeader = fc.tuple(
  fc.stringMatching(/^X-[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/),
  fc
    .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 40 })
    .map((codes) => codes.filter((code) => code < 0x7f || code > 0x9f))
    .map((codes) => String.fromCharCode(...codes)),
);

const hosts = header("Host", "a", "localhost", "a b", "evil.test:99999", "[::1", "x/api/tools?y");

/** A Host, and now and then what else there may be. */
export const headers: fc.Arbitrary<Headers> = fc
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

/** What a body says of itself, and whether that is JSON. */
export const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...JSON_TYPES).map((text) => ({ text, isJson: true })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...OTHER_TYPES).map((text) => ({ text, isJson: false })),
  },
);
