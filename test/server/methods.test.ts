import { describe, expect, test } from "bun:test";
import { exchange } from "./connection.ts";
import { expectFailure } from "./expect-failure.ts";
import { runningServer } from "./running-server.ts";
import { PATHS } from "./tool-calls.ts";

const server = runningServer();

const GET_ONLY = "GET, HEAD";
const ALLOWED: Readonly<Record<string, string>> = {
  "/api/tools": GET_ONLY,
  "/api/health": GET_ONLY,
  "/.well-known/api-catalog": GET_ONLY,
  "/openapi.json": GET_ONLY,
  ...Object.fromEntries(Object.values(PATHS).map((path) => [path, "GET, HEAD, POST, OPTIONS"])),
};

const NEVER = ["PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "QUERY", "SEARCH"];

describe.each(Object.entries(ALLOWED))("%s allows %s", (path, allow) => {
  const refused = allow === GET_ONLY ? [...NEVER, "POST", "OPTIONS"] : NEVER;

  test.each(refused)("and not %s", async (method) => {
    const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    const response = await exchange(server.port, request);
    expectFailure(response, "method_not_allowed", `use ${allow}`);
    expect(response.headers.allow).toBe(allow);
  });

  test.each(allow.split(", "))("and %s", async (method) => {
    const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    const response = await exchange(server.port, request, method);
    expect(response.status).not.toBe(405);
    expect(response.headers).not.toHaveProperty("allow");
  });
});

test.each([...NEVER, "POST", "OPTIONS"])(
  "%s of a path that there is not gives 404",
  async (method) => {
    const request = `${method} /api/zz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
    expectFailure(await exchange(server.port, request), "not_found");
  },
);
