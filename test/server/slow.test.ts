import { expect, test } from "bun:test";
import { openConnection } from "./connection.ts";
import { runningServer } from "./running-server.ts";
import { MCP } from "./tool-calls.ts";

const server = runningServer();

const HEAD = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;

/** A second or two above the time after which the server should lose its patience. */
const PATIENCE_MS = 16_000;

/** What is sent at first, and every second after it. */
test.concurrent.each<[string, string, string]>([
  ["that says nothing", "", ""],
  ["that stops within the headers", "GET /api/health HTTP/1.1\r\nHo", ""],
  ["that drips its headers", "GET /api/health HTTP/1.1\r\nX-A: ", "a"],
  ["that stops within a body", `${HEAD}Content-Length: 100\r\n\r\n{`, ""],
  ["that drips its body", `${HEAD}Content-Length: 100\r\n\r\n{`, " "],
  ["that stops within a chunk", `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\naa`, ""],
  ["that has been answered", "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n", ""],
])(
  "a connection %s is closed",
  async (_, first, drip) => {
    const connection = await openConnection(server.port);
    if (first !== "") connection.send(first);
    const dripping = setInterval(() => {
      if (drip !== "") connection.send(drip);
    }, 1_000);
    try {
      await connection.closed(PATIENCE_MS);
      expect(connection.isClosed).toBe(true);
    } finally {
      clearInterval(dripping);
      connection.end();
    }
  },
  PATIENCE_MS + 2_000,
);
