import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_CLIENTS, tools } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { jsonSchema } from "../../../src/json-schema.ts";
import { expectFailedFetch } from "../support/expect.ts";
import {
  exchange,
  inputOfBytes,
  jsonPost,
  LARGE_RESULT,
  libraryResult,
  mcpPost,
  rawPost,
} from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const GOLDEN = join(import.meta.dir, "../../golden");

const server = runningServer();
const local = runningServer({ baseUrl: () => "http://localhost:3000" });
const off = runningServer({ mcp: false });
const failing = runningServer({
  run: () => {
    throw new TypeError("the inside");
  },
});

const CALL = { name: "mcp_config_generator", arguments: { name: "a", command: "b" } };

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";

/** The two kinds of request, by the revision of the protocol. */
const ERAS = {
  [MODERN]: {
    meta: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
    headers: (method: string, name?: string) => ({
      "MCP-Protocol-Version": MODERN,
      "Mcp-Method": method,
      ...(name !== undefined && { "Mcp-Name": name }),
    }),
  },
  [LEGACY]: { meta: {}, headers: () => ({ "MCP-Protocol-Version": LEGACY }) },
} as const;

type Era = keyof typeof ERAS;

const post = (
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
  { fetch } = server,
) => fetch("/mcp", mcpPost(body, headers));

interface Answer {
  readonly id: unknown;
  readonly result: {
    readonly tools: unknown;
    readonly content: readonly [{ readonly type: string; readonly text: string }];
    readonly structuredContent: unknown;
    readonly isError?: boolean;
    readonly supportedVersions: readonly string[];
    readonly instructions: string;
  };
  readonly error: { readonly code: number; readonly message: string };
}

const read = async (response: Response): Promise<Answer> => JSON.parse(await response.text());

/** Sends a request, and gives the status and the JSON of the answer. */
async function send(era: Era, method: string, params: object = {}, id: unknown = 1, to = server) {
  const { meta, headers } = ERAS[era];
  const name = "name" in params ? String(params.name) : undefined;
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } });
  const response = await post(body, headers(method, name), to);
  return { status: response.status, headers: response.headers, answer: await read(response) };
}

const call = (era: Era, name: string, input: unknown) =>
  send(era, "tools/call", { name, arguments: input });

describe.each(Object.keys(ERAS) as Era[])("a client of %s", (era) => {
  test.each(["*/*", "application/*", "text/html, application/json;q=0.9"])(
    "gets JSON when it accepts %s",
    async (Accept) => {
      const { meta, headers } = ERAS[era];
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: meta });
      const response = await post(body, { ...headers("tools/list"), Accept });
      expect(response.status).toBe(200);
      expect((await read(response)).result.tools).toHaveLength(tools.length);
    },
  );

  test("learns that arguments are an object", async () => {
    const { answer } = await call(era, "mcp_config_generator", '{"name":"a","command":"b"}');
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: "the arguments must be an object, not a string" }],
    });
  });
});

describe.each([MODERN, LEGACY] as const)("in the revision %s", (era) => {
  test("the tools are listed with the contracts' schemas, and the clients beside the input", async () => {
    const { status, answer } = await send(era, "tools/list");
    expect(status).toBe(200);
    const clients = { type: "array", items: { enum: ALL_CLIENTS }, minItems: 1 };
    const listed = JSON.parse(JSON.stringify(answer.result.tools));
    expect(listed.at(-1).inputSchema.properties.clients).toMatchObject(clients);
    delete listed.at(-1).inputSchema.properties.clients;
    expect(listed).toEqual(
      tools.map(({ name, title, description, input, output }) => ({
        name,
        title,
        description,
        inputSchema: jsonSchema(input),
        outputSchema: jsonSchema(output),
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      })),
    );
  });

  const SERVER = { name: "files", command: "npx" };

  test("a model chooses the clients of a config", async () => {
    const name = "mcp_config_generator";
    const { answer } = await call(era, name, { ...SERVER, clients: ["zed", "opencode"] });
    expect(answer.result.structuredContent).toEqual(
      mcpConfig(SERVER, { clients: ["zed", "opencode"] }),
    );
    for (const [clients, problem] of [
      [["zed", "emacs"], "clients[1]: must be "],
      [[], "clients: must have at least 1 item"],
      ["zed", "clients: must be an array"],
    ] as const) {
      const { result } = (await call(era, name, { ...SERVER, clients })).answer;
      expect([result.isError, result.content[0].text]).toEqual([
        true,
        expect.stringContaining(problem),
      ]);
    }
    const { result } = (await call(era, "mail_filter_generator", { clients: ["zed"] })).answer;
    expect(result.content[0].text).toContain("clients: is not a known field");
  });

  test("every golden input gives the same over MCP as over HTTP and in the library", async () => {
    for (const { name, command, segment } of tools) {
      const folder = join(GOLDEN, command);
      for (const golden of readdirSync(folder)) {
        const body = readFileSync(join(folder, golden, "input.json"), "utf8");
        const http = await server.fetch(`/api/tools/${segment}`, jsonPost(body));
        const { status, headers, answer } = await call(era, name, JSON.parse(body));
        expect(status).toBe(200);
        expect(headers.get("content-type")).toBe("application/json");
        expect(headers.get("cache-control")).toBe("no-store");
        expect(headers.get("mcp-session-id")).toBeNull();
        expect(answer.result.structuredContent).toEqual(await http.json());
        const text = libraryResult({ name }, JSON.parse(body));
        expect(answer.result.content).toEqual([{ type: "text", text }]);
        expect(answer.result.isError).toBeUndefined();
      }
    }
  });

  test("bad arguments give every issue to the model, path first", async () => {
    const { status, answer } = await call(era, "mcp_config_generator", { name: "a b", x: 1 });
    expect(status).toBe(200);
    expect(answer.result.isError).toBe(true);
    expect(answer.result.content[0].text.split("\n")).toEqual([
      "name: must be 1 to 64 letters, digits, - or _, such as a-b",
      "x: is not a known field; known are name, command, args, env, url, headers",
    ]);
  });

  test("arguments over 16 KiB are a problem that the model can fix", async () => {
    const most = await call(era, "mcp_config_generator", JSON.parse(inputOfBytes(16_384)));
    expect(most.answer.result.isError).toBeUndefined();
    const more = await call(era, "mcp_config_generator", JSON.parse(inputOfBytes(16_385)));
    expect(more.answer.result).toMatchObject({ isError: true });
    expect(more.answer.result.content[0].text).toBe(
      "the arguments may have at most 16384 bytes, and have 16385",
    );
  });

  test("an internal error says nothing of its cause", async () => {
    const { answer } = await send(era, "tools/call", CALL, 1, failing);
    expect(answer.error).toMatchObject({ code: -32_603, message: "Internal error" });
    expect(failing.lines.join("")).toContain("the inside");
  });

  test("a result that is too long to be sent twice is a problem that the model can fix", async () => {
    const { answer } = await call(era, "mcp_config_generator", LARGE_RESULT);
    expect(answer.result).toMatchObject({ isError: true });
    expect(answer.result.content[0].text).toStartWith(
      "args: makes a result of more than 498,976 bytes",
    );
  });
});

test("a modern client discovers the server", async () => {
  const { answer } = await send(MODERN, "server/discover");
  expect(answer.result).toMatchObject({ capabilities: { tools: {} } });
  expect(answer.result.supportedVersions).toContain(MODERN);
  expect(answer.result.instructions).toContain("isError");
});

test("a legacy client opens with initialize, and its notification is accepted", async () => {
  const { answer } = await send(LEGACY, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  expect(answer.result).toMatchObject({
    protocolVersion: "2025-06-18",
    serverInfo: { name: "handtools", title: "Handtools" },
  });
  const response = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  expect({ status: response.status, body: await response.text() }).toEqual({
    status: 202,
    body: "",
  });
});

describe("a message is rejected that", () => {
  test.each([
    ["is no JSON", "{", -32_700],
    ["is empty", "", -32_700],
    ["is a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32_600],
    ["is a text", '"ping"', -32_600],
    ["has a key twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32_600],
    [
      "has a key twice in its parameters",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","name":"b"}}',
      -32_600,
    ],
  ])("%s", async (_, body, code) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect((await read(response)).error.code).toBe(code);
  });
});

test("a repeated key in the arguments is a problem for the model", async () => {
  const response = await post(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"mcp_config_generator","arguments":{"name":"a","env":{"A":"1","A":"2"}}}}',
  );
  expect((await read(response)).result).toMatchObject({
    content: [{ type: "text", text: "env.A: is given twice" }],
    isError: true,
  });
});

describe("the endpoint", () => {
  test.each(["GET", "DELETE", "PUT", "OPTIONS"])("answers %s with 405", async (method) => {
    const response = await server.fetch("/mcp", { method });
    expect(response.headers.get("allow")).toBe("POST");
    await expectFailedFetch(Promise.resolve(response), "method_not_allowed");
  });

  test("rejects another type, a body that is too large, and one that is not UTF-8", async () => {
    await expectFailedFetch(post("{}", { "Content-Type": "text/plain" }), "unsupported_media_type");
    await expectFailedFetch(post(" ".repeat(40_000)), "payload_too_large");
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"caf\u00e9"}}';
    await expectFailedFetch(post(Buffer.from(call, "latin1")), "invalid_request");
  });

  test("is not there when it is off", async () => {
    await expectFailedFetch(post("{}", {}, off), "not_found");
  });

  test.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-authorization-server/mcp",
  ])("has no login: %s is 404", async (path) => {
    await expectFailedFetch(server.fetch(path), "not_found");
  });
});

describe("the origin", () => {
  const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

  test.each([
    [server, "https://tools.test"],
    [local, "http://localhost:3000"],
    [local, "http://127.0.0.1:6274"],
  ])("%# %s may call", async (target, origin) => {
    expect((await post(LIST, { Origin: origin, Host: "localhost" }, target)).status).toBe(200);
  });

  test.each([
    [server, "https://evil.test"],
    [server, "null"],
    [server, "http://localhost:3000"],
    [local, "https://evil.test"],
    [local, "http://localhost.evil.test"],
  ])("%# %s may not", async (target, origin) => {
    await expectFailedFetch(
      post(LIST, { Origin: origin, Host: "localhost" }, target),
      "origin_rejected",
    );
  });

  test("a local server is called by a local name only", async () => {
    const bytes = rawPost("/mcp", LIST, "Accept: application/json, text/event-stream\r\n");
    const asHost = (host: string) =>
      Buffer.from(Buffer.from(bytes).toString().replace("Host: a", `Host: ${host}`));
    expect((await exchange(local.port, asHost("evil.test"))).status).toBe(403);
    expect((await exchange(local.port, asHost("localhost:3000"))).status).toBe(200);
    expect((await exchange(server.port, asHost("behind-a-proxy"))).status).toBe(200);
  });
});
