import { describe, expect, test } from "bun:test";
import { asQuery, COST, MCP, MCP_INPUT, openConnection, rawPost } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const HEALTH = "GET /api/health HTTP/1.1\r\nHost: a\r\n\r\n";

const asText = (body: string) =>
  Buffer.from(Buffer.from(rawPost(MCP, body)).toString().replace("application/json", "text/plain"));

const chunkedPost = (size: number) =>
  [
    `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n`,
    size.toString(16),
    "x".repeat(size),
    "0\r\n\r\n",
  ].join("\r\n");

/** The whole of the rejected request is sent, and the next one is found behind it. */
const REJECTED: readonly (readonly [number, string, string | Uint8Array])[] = [
  [400, "no JSON", rawPost(MCP, "{")],
  [400, "an input that breaks the schema", rawPost(MCP, "{}")],
  [400, "an empty body", rawPost(MCP, "")],
  [400, "a body in chunks that is no JSON", chunkedPost(10)],
  [404, "a body for an unknown path", rawPost("/api/zz", "{}")],
  [405, "a body for an unknown method", rawPost("/api/health", "{}")],
  [413, "one byte too many", rawPost(MCP, "x".repeat(16_385))],
  [413, "a megabyte too many", rawPost(MCP, "x".repeat(1_100_000))],
  [413, "too many bytes in chunks", chunkedPost(100_000)],
  [415, "a wrong type", asText(MCP_INPUT)],
  [415, "a wrong type of a large body", asText("x".repeat(100_000))],
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

  test("a request sent along with it is answered after it", async () => {
    const connection = await openConnection(server.port);
    connection.send(Buffer.concat([Buffer.from(request), Buffer.from(HEALTH)]));
    expect((await connection.response()).status).toBe(status);
    expect(await connection.response()).toMatchObject({ status: 200, body: '{"status":"pass"}' });
    connection.end();
  });
});

test("pipelined requests are answered in their order", async () => {
  const connection = await openConnection(server.port);
  const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
  const targets = names.map((name) => MCP + asQuery(JSON.stringify({ name, command: "x" })));
  connection.send(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(""));
  for (const name of names) {
    const { status, body } = await connection.response();
    expect({ status, name: JSON.parse(body).name }).toEqual({ status: 200, name });
  }
  connection.end();
});

test("of POSTs that are sent without waiting, the first is answered, and nothing out of order", async () => {
  const connection = await openConnection(server.port);
  const names = ["one", "two", "three"];
  connection.send(
    Buffer.concat(names.map((name) => rawPost(MCP, JSON.stringify({ name, command: "x" })))),
  );
  expect(JSON.parse((await connection.response()).body).name).toBe("one");
  await expect(connection.response()).rejects.toThrow("Closed after 0 bytes");
});

test("a HEAD between two others leaves no body behind", async () => {
  const connection = await openConnection(server.port);
  connection.send(`HEAD ${COST} HTTP/1.1\r\nHost: a\r\n\r\n${HEALTH}`);
  expect(await connection.response("HEAD")).toMatchObject({ status: 200, body: "" });
  expect(await connection.response()).toMatchObject({ status: 200, body: '{"status":"pass"}' });
  connection.end();
});

test("a client that waits for 100 Continue gets it", async () => {
  const connection = await openConnection(server.port);
  const request = Buffer.from(rawPost(MCP, MCP_INPUT, "Expect: 100-continue\r\n")).toString();
  const bodyStart = request.length - MCP_INPUT.length;
  connection.send(request.slice(0, bodyStart));
  expect(await connection.response()).toMatchObject({ status: 100 });
  connection.send(request.slice(bodyStart));
  expect(await connection.response()).toMatchObject({ status: 200 });
  connection.end();
});
