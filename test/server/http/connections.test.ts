import { describe, expect, test } from "bun:test";
import { chunkedPost, MCP, MCP_INPUT, openConnection, rawPost } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const HEALTH = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";

const asText = (body: string) =>
  Buffer.from(Buffer.from(rawPost(MCP, body)).toString().replace("application/json", "text/plain"));

/** The whole of the rejected request is sent, and the next one is found behind it. */
const REJECTED: readonly (readonly [number, string, string | Uint8Array])[] = [
  [400, "no JSON", rawPost(MCP, "{")],
  [400, "an input that breaks the schema", rawPost(MCP, "{}")],
  [400, "a body in chunks that is no JSON", chunkedPost(MCP, "x".repeat(10), 10)],
  [404, "a body for an unknown path", rawPost("/api/zz", "{}")],
  [405, "a body for an unknown method", rawPost("/api/health", "{}")],
  [413, "one byte too many", rawPost(MCP, "x".repeat(16_385))],
  [413, "too many bytes in chunks", chunkedPost(MCP, "x".repeat(100_000), 100_000)],
  [415, "a wrong type", asText(MCP_INPUT)],
];

describe.each(REJECTED)("after %d for %s", (status, _, request) => {
  test("the connection takes the next request", async () => {
    const connection = await openConnection(server.port);
    connection.send(request);
    expect((await connection.response()).status).toBe(status);
    connection.send(HEALTH);
    expect(await connection.response()).toMatchObject({ status: 200, body: '{"status":"pass"}' });
    connection.end();
  });
});
