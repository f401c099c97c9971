import { expect, test } from "bun:test";
import fc from "fast-check";
import { ERROR_STATUS, MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { callTool, openApi } from "../../../src/index.ts";
import { tries } from "../../support/runs.ts";
import { answersOf } from "../support/documented.ts";
import { expectFailure, faultLog } from "../support/expect.ts";
import { exchange, type RawResponse } from "../support/http.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";
import { signupPorts } from "../support/signup.ts";
import { AUTHORIZATION, type GeneratedRequest, requestsTo, toBytes } from "./generate.ts";

const { faults, log } = faultLog();
const server = runningServer({
  log,
  signup: signupPorts({
    isServerCaller: ({ headers }) => headers.get("authorization") === AUTHORIZATION,
  }),
});
const document = openApi({ baseUrl: BASE_URL });
const undocumented = answersOf(document);
const namesByPath = new Map<string, string>(tools.map((tool) => [toolPath(tool), tool.name]));

/** The statuses that requests of a client can have; 404 is that of no path in the document. */
const STATUSES = [200, 304, 400, 403, 405, 413, 415];

test("whatever is made from the OpenAPI document is answered as it says", async () => {
  const seen = new Set<number>();
  const property = fc.asyncProperty(requestsTo(document), async (request) => {
    const response = await exchange(server.port, toBytes(request), request.method);
    seen.add(response.status);
    expectAnswer(request, response);
    expect(faults).toEqual([]);
  });
  await fc.assert(property, tries(400));
  expect(STATUSES.filter((status) => !seen.has(status))).toEqual([]);
});

function expectAnswer(request: GeneratedRequest, response: RawResponse): void {
  const { path, method } = request;
  if (method === "OPTIONS" && namesByPath.has(path)) {
    expect(response).toMatchObject({ status: 204, body: "" });
    return;
  }
  expectHeaders(path, response);
  if (method === "HEAD") {
    expect(response.body).toBe("");
    return;
  }
  expect(undocumented(path, method, response)).toEqual([]);
  if (response.status >= 400) expectError(path, response);
  expectRun(request, response);
}

/** Any site's scripts may read the answers of the tools, and none those of the signup. */
function expectHeaders(path: string, { headers }: RawResponse): void {
  expect(headers["access-control-allow-origin"]).toBe(
    path === "/api/beta-signup" ? undefined : "*",
  );
  expect(headers["x-content-type-options"]).toBe("nosniff");
  expect(headers).not.toHaveProperty("set-cookie");
}

/** The code is one of the status; strangers to the signup learn nothing more. */
function expectError(path: string, { status, body }: RawResponse): void {
  const { code, message } = JSON.parse(body).error;
  expect<unknown>(Object.entries(ERROR_STATUS)).toContainEqual([code, status]);
  if (path === "/api/beta-signup") expect(message).toBe("Request rejected");
}

/** A tool's input that could be read is answered as the library answers it. */
function expectRun({ path, method, json }: GeneratedRequest, { status, body }: RawResponse): void {
  const name = namesByPath.get(path);
  if (name === undefined || json === undefined || !["GET", "POST"].includes(method)) return;
  const isTooLarge = Buffer.byteLength(json) > MAX_TOOL_INPUT_BYTES;
  const outcome = callTool(name, JSON.parse(json));
  if (isTooLarge) expect(status).toBe(413);
  else if (!outcome.ok) expect(status).toBe(400);
  else if (status !== 304)
    expect({ status, body }).toEqual({ status: 200, body: JSON.stringify(outcome.value) });
}

const pathParts = fc.constantFrom(
  ...["/", "/", "api", "tools", "health", ".", "..", "%2F", "%2e", "%", "%zz", ";", "*", ":", "@"],
  ...["mcp-config-generator", "//", "/api/tools/", "\\", "é", "✓", "?", "constructor", "__proto__"],
);

test("whatever the path, the answer is documented and no internal error", async () => {
  const paths = fc.array(pathParts, { maxLength: 8 }).map((parts) => `/${parts.join("")}`);
  const hosts = fc.constantFrom("Host: x\r\n", "Host: a b/c?d\r\n", "Host: a:99999\r\n");
  const property = fc.asyncProperty(paths, hosts, async (path, host) => {
    const response = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${host}\r\n`);
    if (response.status === 308) {
      // The dots of a path are resolved: /tools/. is /tools/.
      const { pathname, search } = new URL(`http://x${path}`);
      expect(response.headers.location).toBe(pathname.slice(0, -1) + search);
    } else if (response.status !== 200) expectFailure(response, "not_found");
    expect(faults).toEqual([]);
  });
  await fc.assert(property, tries(200));
});
