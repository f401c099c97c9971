import { beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { textLog } from "../../../server/process/log.ts";
import { expectSoon } from "../support/expect.ts";
import {
  asQuery,
  COST,
  exchange,
  jsonPost,
  MCP,
  MCP_INPUT,
  openConnection,
} from "../support/http.ts";
import { runningServer } from "../support/servers.ts";
import { SIGNUP, TOKENLESS } from "../support/signup.ts";

describe("the line of a request", () => {
  const server = runningServer();
  beforeEach(() => {
    server.lines.length = 0;
  });

  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const entries = () => server.lines.map((line) => JSON.parse(line));

  describe("one line for", () => {
    test.each<[string, RequestInit, string, string | null, number, string | null]>([
      [COST, { headers: { "If-None-Match": "*" } }, "GET", COST, 304, null],
      [MCP + asQuery(MCP_INPUT), {}, "GET", MCP, 200, null],
      [MCP, jsonPost(MCP_INPUT), "POST", MCP, 200, null],
      [MCP, { method: "DELETE" }, "DELETE", MCP, 405, "method_not_allowed"],
      ["/api/zz", jsonPost("{}"), "POST", null, 404, "not_found"],
    ])("%s %j", async (path, init, method, route, status, code) => {
      const response = await server.fetch(path, init);
      await response.text();
      expect(server.lines).toHaveLength(1);
      expect(server.lines[0]).toEndWith("}\n");
      const id = response.headers.get("x-request-id");
      expect(id === null).toBe(status < 400);
      expect(entries()).toEqual([
        {
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          level: "info",
          request_id: id ?? expect.stringMatching(UUID),
          method,
          route,
          status,
          duration_ms: expect.any(Number),
          ...(code && { code }),
        },
      ]);
    });
  });

  test("the code, and nothing of the input, of another origin", async () => {
    const headers = { "Content-Type": "application/json", Origin: "https://other.test" };
    const init = { ...jsonPost(JSON.stringify(TOKENLESS)), headers };
    const response = await server.fetch(SIGNUP, init);
    expect(entries()).toMatchObject([{ status: response.status, code: "origin_rejected" }]);
    expect(server.lines.join("")).not.toContain("ada@");
  });

  test("no line for the health check", async () => {
    for (const method of ["GET", "HEAD", "POST"]) await server.fetch("/api/health", { method });
    expect(server.lines).toEqual([]);
  });

  describe("nothing of the caller's is in the log", () => {
    const MARK = "marker7";
    const body = JSON.stringify({ name: MARK, command: MARK, env: { [MARK]: MARK } });
    const headers = [
      `Host: ${MARK}.test:7777`,
      `User-Agent: ${MARK}`,
      `Referer: https://${MARK}.test/`,
      `Origin: https://${MARK}.test`,
      `Authorization: Bearer ${MARK}`,
      `Cookie: a=${MARK}`,
      `X-Forwarded-For: 203.0.113.7, ${MARK}`,
      `X-Request-Id: ${MARK}`,
      `${MARK}: ${MARK}`,
      `If-None-Match: "${MARK}"`,
    ].join("\r\n");
    const query = `?${MARK}=${MARK}&input=${encodeURIComponent(body)}`;
    const post = (path: string, type: string, text: string) =>
      `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Type: ${type}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`;

    test.each<[string, number, string]>([
      ["a result by GET", 200, get(MCP + query)],
      ["a result by POST", 200, post(MCP + query, "application/json", body)],
      ["an unknown path", 404, get(`/api/tools/${MARK}${query}`)],
      ["a wrong method", 405, post(`/api/tools${query}`, "application/json", body)],
    ])("of %s", async (_, status, request) => {
      const response = await exchange(server.port, request);
      expect(response.status).toBe(status);
      expect(server.lines).toHaveLength(1);
      expect(server.lines.join("")).not.toMatch(/marker7|7777|203\.0\.113|127\.0\.0\.1/);
    });
  });

  test("a client that disconnects within a body is logged as 400, not 500", async () => {
    const connection = await openConnection(server.port);
    const head = `POST ${MCP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    connection.send(`${head}Content-Length: 100\r\n\r\n{`);
    await Bun.sleep(50);
    connection.end();
    await expectSoon(() => server.lines.length > 0);
    expect(entries()).toMatchObject([{ level: "info", route: MCP, status: 400 }]);
  });
});

const LOG_MODULE = JSON.stringify(join(import.meta.dir, "../../../server/process/log.ts"));

test("on a terminal the log is text for people", () => {
  const lines: string[] = [];
  const log = textLog((line) => lines.push(line));
  log.info("Handtools is at http://localhost:3000");
  const entry = { request_id: "1", method: "GET", status: 200, duration_ms: 1.2 };
  log.request({ ...entry, route: "/api/tools" });
  log.request({ ...entry, route: null, status: 404, code: "not_found" });
  log.warning("CHALLENGE_SECRET is not set");
  const error = new Error("no disk");
  error.stack = "Error: no disk\n    at write";
  log.error("7", error);
  log.error("8", "no error");
  expect(lines.join("")).toBe(
    `Handtools is at http://localhost:3000
GET /api/tools 200 1.2 ms
GET (unknown path) 404 1.2 ms not_found
warning: CHALLENGE_SECRET is not set
error: 7 Error: no disk
    at write
error: 8 no error
`,
  );
});

/** Runs a program that writes as the log does, with its standard output in a shell. */
function writeLines(count: number, output: string) {
  const script = `
    const { outputLog } = await import(${LOG_MODULE});
    const log = outputLog();
    for (let count = 0; count < ${count}; count++) {
      log.info("x".repeat(140));
      if (count % 1_000 === 0) await Bun.sleep(1);
    }
    process.stderr.write("at its end");
  `;
  const { stdout, stderr } = Bun.spawnSync(["sh", "-c", `"$BUN" -e "$SCRIPT" ${output}`], {
    env: { ...process.env, BUN: process.execPath, SCRIPT: script },
    timeout: 20_000,
  });
  return { out: stdout.toString().trim(), error: stderr.toString() };
}

test.each([
  ["that nobody reads any more", "| head -c 1"],
  ["on a full disk", "> /dev/full"],
])("a log %s does not keep the server from running and ending", (_, output) => {
  expect(writeLines(3_000, output).error).toBe("at its end");
});

test("a slow reader gets all lines", () => {
  expect(writeLines(30_000, "| { sleep 0.2; wc -l; }").out).toBe("30000");
});

test("an internal error is logged once, under the request id of the answer", async () => {
  const server = runningServer({
    run: () => {
      throw new TypeError("the inside");
    },
  });
  const { headers } = await server.fetch(MCP + asQuery(MCP_INPUT));
  const [fault] = server.lines.map((line) => JSON.parse(line)).filter(({ error }) => error);
  expect(fault).toEqual({
    time: expect.any(String),
    level: "error",
    request_id: headers.get("x-request-id"),
    error: expect.stringMatching(/^TypeError: the inside\n +at /),
  });
  expect(server.lines).toHaveLength(2);
});
