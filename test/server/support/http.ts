import { connect } from "node:net";
import * as tls from "node:tls";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { automationCostContract, type Contract } from "../../../schemas/index.ts";
import { callTool } from "../../../src/index.ts";

export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it was before it was compressed. */
  readonly body: string;
}

/** The response at the front of the bytes and its length; undefined while it is incomplete. */
export function readResponse(
  bytes: Buffer,
  method: string,
  isClosed: boolean,
): { readonly response: RawResponse; readonly length: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [statusLine = "", ...fields] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const status = Number(statusLine.split(" ")[1]);
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = "", value = ""] = field.split(/: */, 2);
      return [name.toLowerCase(), field.slice(name.length + 1).trim() || value];
    }),
  );
  const start = headEnd + 4;
  if (headers["transfer-encoding"] === "chunked" && method !== "HEAD") {
    const chunked = readChunks(bytes, start);
    if (!chunked) return undefined;
    const body = decode(chunked.body, headers["content-encoding"]);
    return { response: { status, headers, body }, length: chunked.end };
  }
  const length =
    bodyLength(method, status, headers) ?? (isClosed ? bytes.length - start : undefined);
  if (length === undefined || bytes.length < start + length) return undefined;
  const body = decode(bytes.subarray(start, start + length), headers["content-encoding"]);
  return { response: { status, headers, body }, length: start + length };
}

/** A body without its coding. A response to HEAD names the coding, but has no body. */
function decode(body: Buffer, coding: string | undefined): string {
  if (body.length === 0) return "";
  if (coding === "gzip") return gunzipSync(body).toString("utf8");
  if (coding === "br") return brotliDecompressSync(body).toString("utf8");
  return body.toString("utf8");
}

/** A body in chunks; undefined while its last chunk is missing. */
function readChunks(
  bytes: Buffer,
  start: number,
): { readonly body: Buffer; readonly end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = next;
  }
}

function bodyLength(
  method: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): number | undefined {
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return 0;
  const announced = headers["content-length"];
  return announced === undefined ? undefined : Number(announced);
}

/** Nothing that is asked here takes long; a test that waits for more has failed. */
const PATIENCE_MS = 5_000;

/** Who connects over TLS: from an address of this machine, to the host of a proxy's certificate. */
export interface Visitor {
  readonly from: string;
  readonly host: string;
}

/**
 * A connection on which a test writes bytes that no well-behaved client would.
 *
 * @param by a visitor of a proxy; without one the connection is to the server itself.
 */
export async function openConnection(port: number, by?: Visitor) {
  const tcp = connect({ port, host: "127.0.0.1", ...(by && { localAddress: by.from }) });
  const socket = by
    ? tls.connect({ socket: tcp, servername: by.host, rejectUnauthorized: false })
    : tcp;
  let received: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let wake = () => {};
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  // A reset is a close for all that is asked here.
  socket.on("error", () => wake());
  await new Promise((resolve) => socket.once(by ? "secureConnect" : "connect", resolve));

  /** Waits for a change until `ready` gives something. */
  async function until<Value>(ready: () => Value | undefined, patience: number): Promise<Value> {
    const deadline = Date.now() + patience;
    for (;;) {
      const value = ready();
      if (value !== undefined) return value;
      if (Date.now() > deadline) throw new Error(`Nothing after ${patience} ms: ${received}`);
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), Bun.sleep(50)]);
    }
  }

  return {
    send: (bytes: string | Uint8Array) => {
      socket.write(bytes);
    },
    /** The next response; one to HEAD has no body whatever its headers say. */
    async response(method = "GET", patience = PATIENCE_MS): Promise<RawResponse> {
      return until(() => {
        const read = readResponse(received, method, isClosed);
        if (read) received = received.subarray(read.length);
        if (!read && isClosed) throw new Error(`Closed after ${received.length} bytes`);
        return read?.response;
      }, patience);
    },
    /** Resolves when the server has closed, and says what came before. */
    closed: (patience = PATIENCE_MS): Promise<string> =>
      until(() => (isClosed ? received.toString("latin1") : undefined), patience),
    get isClosed() {
      return isClosed;
    },
    end: () => {
      socket.destroy();
    },
  };
}

/** Sends one request on a connection of its own. */
export async function exchange(
  port: number,
  bytes: string | Uint8Array,
  method = "GET",
): Promise<RawResponse> {
  const connection = await openConnection(port);
  try {
    connection.send(bytes);
    return await connection.response(method);
  } finally {
    connection.end();
  }
}

/** The paths of the tools, spelt out: they are what clients have in their code. */
export const PATHS = {
  mail_filter_generator: "/api/tools/mail-filter-generator",
  automation_cost_calculator: "/api/tools/automation-cost-calculator",
  mcp_config_generator: "/api/tools/mcp-config-generator",
} as const;

export const MCP = PATHS.mcp_config_generator;
export const COST = PATHS.automation_cost_calculator;

/** A small input of the MCP config generator. */
export const MCP_INPUT = JSON.stringify({ name: "files", command: "npx" });

export const asQuery = (input: string): string => `?input=${encodeURIComponent(input)}`;

/** Each byte as %XX, three times as long as the text. */
export const fullyEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

export const jsonPost = (
  body: string | Uint8Array<ArrayBuffer>,
  type = "application/json",
): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": type },
  body,
});

/** A POST of this message by an MCP client. */
export const mcpPost = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit => ({
  method: "POST",
  headers: {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    ...headers,
  },
  body,
});

/** The bytes of a request on a raw connection. */
export function rawPost(
  path: string,
  body: string | Uint8Array,
  headers = "",
  host = "a",
): Uint8Array {
  const type = /^content-type:/im.test(headers) ? "" : "Content-Type: application/json\r\n";
  return Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${type}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);
}

/** The head of a POST of JSON in chunks. */
export const chunkedHead = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** The bytes of a POST of JSON in chunks of so many bytes. */
export const chunkedPost = (path: string, body: string, size: number): Buffer =>
  Buffer.concat([Buffer.from(chunkedHead(path)), inChunks(body, size)]);

/** A body in chunks of so many bytes, with the mark of its end. */
function inChunks(body: string, size: number): Buffer {
  const bytes = Buffer.from(body);
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
  const chunks = starts.map((start) => chunk(bytes.subarray(start, start + size)));
  return Buffer.concat([...chunks, Buffer.from("0\r\n\r\n")]);
}

export const chunk = (bytes: string | Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from("\r\n"),
  ]);

/** The day of the tests, from which the age of a price counts. */
export const TODAY = "2026-11-27";

/** The library's outcome on a day. */
export const callOn = (day: string, { name }: Pick<Contract, "name">, input: unknown) =>
  callTool(name, input, name === automationCostContract.name ? { today: day } : {});

/** The result as the library gives it, in JSON. */
export function libraryResult(tool: Pick<Contract, "name">, input: unknown, day = TODAY): string {
  const outcome = callOn(day, tool, input);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return JSON.stringify(outcome.value);
}

/** Input of the MCP config generator that is valid and has exactly so many bytes. */
export function inputOfBytes(size: number, filler = "a"): string {
  const withArgs = (args: readonly string[]) =>
    JSON.stringify({ name: "files", command: "npx", args });
  const args = Array.from({ length: 32 }, () => filler.repeat(500 / Buffer.byteLength(filler)));
  const missing = size - Buffer.byteLength(withArgs([...args, ""]));
  return withArgs([...args, "b".repeat(missing)]);
}
