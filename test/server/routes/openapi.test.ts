import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { openApi } from "../../../src/index.ts";
import { answersOf } from "../support/documented.ts";
import { BASE_URL, runningServer } from "../support/servers.ts";

const document = openApi({ baseUrl: BASE_URL });
const undocumented = answersOf(document);
const server = runningServer();
const stopping = runningServer({ isDraining: () => true });
const failing = runningServer({
  baseUrl: () => {
    throw new Error("on purpose");
  },
});

interface Call {
  readonly title: string;
  readonly path: string;
  readonly status: number;
  readonly init?: RequestInit;
  readonly to?: typeof server;
}

const json = { "Content-Type": "application/json" };
const post = (body: unknown, headers: Record<string, string> = json): RequestInit => ({
  method: "POST",
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const inputOf = (value: unknown) => `?input=${encodeURIComponent(JSON.stringify(value))}`;

const callsOf = (tool: (typeof tools)[number]): readonly Call[] => {
  const path = toolPath(tool);
  const large = "x".repeat(16_385);
  return [
    { title: "the description", path, status: 200 },
    { title: "the result by GET", path: `${path}${inputOf(tool.example_input)}`, status: 200 },
    { title: "the result by POST", path, status: 200, init: post(tool.example_input) },
    { title: "no JSON by GET", path: `${path}?input={`, status: 400 },
    { title: "a wrong input by GET", path: `${path}${inputOf({})}`, status: 400 },
    { title: "no JSON by POST", path, status: 400, init: post("{") },
    { title: "a wrong input by POST", path, status: 400, init: post({}) },
    { title: "a wrong method", path, status: 405, init: { method: "DELETE" } },
    { title: "too much by GET", path: `${path}${inputOf(large)}`, status: 413 },
    { title: "too much by POST", path, status: 413, init: post(large) },
    { title: "no type", path, status: 415, init: post("{}", { "Content-Type": "text/plain" }) },
    { title: "a fault", path, status: 500, to: failing },
  ];
};

const calls: readonly Call[] = [
  { title: "the list", path: "/api/tools", status: 200 },
  { title: "a wrong method on the list", path: "/api/tools", status: 405, init: post({}) },
  { title: "an error in the list", path: "/api/tools", status: 500, to: failing },
  ...tools.flatMap(callsOf),
  { title: "health", path: "/api/health", status: 200 },
  { title: "a wrong method on health", path: "/api/health", status: 405, init: post({}) },
  { title: "health while the server stops", path: "/api/health", status: 503, to: stopping },
];

const rawResponse = async (response: Awaited<ReturnType<typeof server.fetch>>) => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
  body: await response.text(),
});

/** A call, which is expected to be answered with the status and as documented. */
async function expectDocumented({ path, status, init, to = server }: Call): Promise<void> {
  const response = await to.fetch(path, init);
  const [route = ""] = path.split("?");
  const method = init?.method ?? "GET";
  expect(response.status).toBe(status);
  expect(undocumented(route, method, await rawResponse(response))).toEqual([]);
}

describe("the server answers as the OpenAPI document says", () => {
  for (const call of calls) {
    const [route] = call.path.split("?");
    test(`${call.status} for ${call.title} at ${route}`, () => expectDocumented(call));
  }

  test.each(["/api/tools", ...tools.map(toolPath)])(
    "304 for a known description at %s",
    async (path) => {
      const { headers } = await server.fetch(path);
      const init = { headers: { "If-None-Match": headers.get("ETag") ?? "" } };
      await expectDocumented({ title: "", path, status: 304, init });
    },
  );
});

describe("what is not documented is seen", () => {
  const type = { "content-type": "application/health+json", "cache-control": "no-store" };

  test.each<[string, number, string, Record<string, string>, string]>([
    ["a status", 418, "{}", type, "the status 418"],
    ["a media type", 200, "{}", { ...type, "content-type": "text/html" }, "the text/html {}"],
    ["a body", 200, '{"status":"warn"}', type, 'the application/health+json {"status":"warn"}'],
    [
      "a missing header",
      200,
      '{"status":"pass"}',
      { "content-type": "application/health+json" },
      "no header Cache-Control",
    ],
  ])("%s", (_, status, body, headers, difference) => {
    const response = { status, headers, body };
    expect(undocumented("/api/health", "GET", response)).toEqual([difference]);
  });
});
