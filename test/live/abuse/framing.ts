import { expect } from "bun:test";
import fc from "fast-check";
import { MCP, openConnection } from "../../server/support/http.ts";
import type { Scenario } from "./run.ts";
import { cuts, inParallel, inPieces, sendPieces, toolRequest } from "./support.ts";

/*
 * Forms of requests, in Latin-1. RFC 9112 has the rules; the numbers are its sections.
 */

/** The input of each form; toolRequest("framing") has the answer to it. */
const BODY = '{"name":"framing","command":"npx","args":["-y","framing"]}';
const LENGTH = `Content-Length: ${BODY.length}`;
const HEX = BODY.length.toString(16);
const CHUNKS = `${HEX}\r\n${BODY}\r\n0\r\n\r\n`;

/** Follows each form: what a reader sees who thinks that the form ends before. */
const SMUGGLED = "GET /api/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

const post = (lines: readonly string[], body: string, version = "HTTP/1.1") =>
  `POST ${MCP} ${version}\r\nHost: a\r\nContent-Type: application/json\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
const withLine = (line: string) => post([line, LENGTH], BODY);
const withLength = (...values: readonly string[]) =>
  post(
    values.map((value) => `Content-Length: ${value}`),
    BODY,
  );
const withCoding = (line: string) => post([line], CHUNKS);
const inChunks = (chunks: string) => post(["Transfer-Encoding: chunked"], chunks);
const firstLine = (line: string) => `${line}\r\nHost: a\r\n\r\n`;

/** Two lengths, or one that is none (6.3). */
const LENGTHS = [
  withLength(String(BODY.length), "0"),
  withLength(`${BODY.length}, ${BODY.length}`),
  ...["", "-1", `+${BODY.length}`, "0x2f", "4 7", "4a", "47.0"].map((value) => withLength(value)),
  ...["18446744073709551663", "9".repeat(40)].map((value) => withLength(value)),
];

/** A length beside chunks, or a coding that is not chunked, or that is hidden (6.1, 6.3). */
const CODINGS = [
  post(["Content-Length: 3", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
  post(["Transfer-Encoding: chunked", "Content-Length: 3"], "0\r\n\r\n"),
  post(["Transfer-Encoding: ", LENGTH], BODY),
  post(["Transfer-Encoding: chunked"], CHUNKS, "HTTP/1.0"),
  ...[
    "Transfer-Encoding : chunked",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: identity",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked, gzip",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    'Transfer-Encoding: "chunked"',
    "Transfer-Encoding: \vchunked",
    "Transfer-Encoding:\r\n chunked",
    "Transfer-Encoding\0: chunked",
  ].map(withCoding),
];

/** Sizes that are none, or that are not those of the chunks (7.1). */
const CHUNK_FAULTS = [
  `0x${HEX}`,
  `-${HEX}`,
  "",
  ` ${HEX}`,
  `${HEX} `,
  `1000000000000000${HEX}`,
  "ffffffffffffffff",
  `${HEX};a\nb`,
  "g",
]
  .map((size) => `${size}\r\n${BODY}\r\n0\r\n\r\n`)
  .concat(
    `${HEX}\n${BODY}\n0\n\n`,
    `${HEX}\r\n${BODY}XX\r\n0\r\n\r\n`,
    `${HEX}\r\n${BODY}XX0\r\n\r\n`,
  )
  .map(inChunks);

/** Header lines that are none, or more than one (5.1, 5.2). */
const LINES = [
  "X-A: b\r\n c",
  "X-A: b\rX-B: c",
  "X-A: b\0c",
  "X-A: \x01",
  "X\0A: b",
  "X A: b",
  "X\xffA: b",
  ": b",
  "XA",
  " X-A: b",
].map(withLine);

/** More than one Host (3.2). */
const HOSTS = ["Host: b", "host: a", "Host:", "Host: b\r\nHost: c"].map(withLine);

/** First lines of other versions, other protocols, or of nothing (2.3, 3). */
const FIRST_LINES = [
  ...["0.9", "1.2", "1.10", "2.0", "11", "1,1"].map((version) =>
    firstLine(`GET /api/health HTTP/${version}`),
  ),
  ...[
    "GET /api/health http/1.1",
    "GET  /api/health HTTP/1.1",
    "GET\t/api/health\tHTTP/1.1",
    "GET /api/health x HTTP/1.1",
    "GET /api/health\0 HTTP/1.1",
    "GET /api/health",
    "get /api/health HTTP/1.1",
    "FOO /api/health HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    " GET /api/health HTTP/1.1",
  ].map(firstLine),
  `POST ${MCP} HTTP/1.1\nHost: a\nContent-Type: application/json\n${LENGTH}\n\n${BODY}`,
  "GET /api/health HTTP/1.1\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "\0\xff\xfe garbage\r\n\r\n",
];

/** A reader that accepts one of these may see another request behind it than the next reader. */
const REJECTED = [...LENGTHS, ...CODINGS, ...CHUNK_FAULTS, ...LINES, ...FIRST_LINES, ...HOSTS];

/** Odd, but to be read in one way only. */
const ANSWERED = [
  withLength(String(BODY.length)),
  withLength(`000${BODY.length}`),
  withLength(String(BODY.length), String(BODY.length)),
  ...["Transfer-Encoding:\tchunked", "TRANSFER-ENCODING: CHUNKED"].map(withCoding),
  ...[HEX.toUpperCase(), `0000${HEX}`, `${HEX};a=b`, `${HEX};a="b;c"`].map((size) =>
    inChunks(`${size}\r\n${BODY}\r\n0\r\n\r\n`),
  ),
  inChunks(
    `7\r\n${BODY.slice(0, 7)}\r\n${(BODY.length - 7).toString(16)}\r\n${BODY.slice(7)}\r\n000\r\n\r\n`,
  ),
  withLine("X-A:b"),
  withLine("X-A: \t b \t "),
  withLine("X-A: \xff\x80"),
  withLine("X-A:"),
];

/** Answered, and then nothing more: Bun keeps no connection of HTTP/1.0, and none after a trailer. */
const ANSWERED_LAST = [
  withLine("Connection: close"),
  post([LENGTH], BODY, "HTTP/1.0"),
  post([LENGTH, "Connection: keep-alive"], BODY, "HTTP/1.0"),
  inChunks(`${HEX}\r\n${BODY}\r\n0\r\nX-Trailer: a\r\n\r\n`),
  inChunks(`${HEX}\r\n${BODY}\r\n0\r\nContent-Length: 5\r\n\r\n`),
];

const AT_A_TIME = 8;
const PATIENCE_MS = 20_000;

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Rejected by Bun or cut off, and nothing else said. */
async function expectRejected(connection: Connection): Promise<void> {
  const received = await connection.closed(PATIENCE_MS);
  expect(received.split("\r\n")[0]).toMatch(/^(?:HTTP\/1\.1 (?:400 |505 ).*)?$/);
  expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(2);
}

async function expectAnswered(connection: Connection): Promise<void> {
  expect(await connection.response()).toMatchObject(toolRequest("framing").answer);
}

/** The text after the answered request is read as a request of its own, for an unknown path. */
async function expectSmuggled(connection: Connection): Promise<void> {
  connection.send(SMUGGLED);
  const { status, body } = await connection.response();
  expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 404, code: "not_found" });
}

const GROUPS: readonly (readonly [
  forms: readonly string[],
  check: (connection: Connection) => Promise<void>,
])[] = [
  [REJECTED.map((form) => form + SMUGGLED), expectRejected],
  [
    ANSWERED,
    async (connection) => {
      await expectAnswered(connection);
      await expectSmuggled(connection);
    },
  ],
  [
    ANSWERED_LAST,
    async (connection) => {
      await expectAnswered(connection);
      connection.send(SMUGGLED);
      await expectRejected(connection);
    },
  ],
];

const forms = GROUPS.flatMap(([texts, check]) => texts.map((text) => ({ text, check })));

/** Requests whose end two readers might see in different places, and others that are no HTTP. */
export const framing: Scenario = {
  title: "what could be read in two ways is rejected, and what hides in it is not answered",

  async run({ port, seed, times }) {
    // Each comes whole at first, and then in packets cut anywhere.
    const rounds = [[], ...fc.sample(cuts, { numRuns: times(4, 199), seed })];
    const sendings = rounds.flatMap((shares) => forms.map((form) => ({ ...form, shares })));
    await inParallel(sendings, AT_A_TIME, async ({ text, check, shares }) => {
      const connection = await openConnection(port);
      await sendPieces(connection, inPieces(Buffer.from(text, "latin1"), shares));
      await check(connection).catch((error: unknown) => {
        throw new Error(`${JSON.stringify(text)}\n${error}`);
      });
      connection.end();
    });
    return `${sendings.length} requests of ${forms.length} forms`;
  },
};
