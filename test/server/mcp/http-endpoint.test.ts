import { describe, expect, test } from "bun:test";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { ALL_CLIENTS, tools } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { toEmbeddedJsonSchema } from "../../../src/json-schema.ts";
import { mcpPost } from "../support/http.ts";
import { asLines, linesOf, overStdio } from "../support/mcp.ts";
import { runningServer } from "../support/servers.ts";

const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
};

const server = runningServer();

const messageOf = (era: string, method: string, params: object): string =>
  JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method },
    params: { ...params, ...(era === MODERN && { _meta: META }) },
  });

/** Sends a request of a revision of the protocol. */
async function post(era: string, method: string, params: object, { fetch } = server) {
  const isModern = era === MODERN;
  const headers = {
    "MCP-Protocol-Version": era,
    ...(isModern && { "Mcp-Method": method }),
    ...(isModern && "name" in params && { "Mcp-Name": String(params.name) }),
  };
  const response = await fetch("/mcp", mcpPost(messageOf(era, method, params), headers));
  return { status: response.status, text: await response.text() };
}

/** Sends a request, and gives its result. */
async function send(era: string, method: string, params: object = {}, site = server) {
  const { status, text } = await post(era, method, params, site);
  expect(status).toBe(200);
  return JSON.parse(text).result;
}

/** Some of the methods of the protocol that the server does not announce. */
const OTHERS = ["prompts/list", "resources/read", "subscriptions/listen"];

describe.each([MODERN, LEGACY])("in the revision %s", (era) => {
  test.each(OTHERS)("%s is no method of this server", async (method) => {
    const params = { notifications: { toolsListChanged: true } };
    const { status, text } = await post(era, method, params);
    const [line = ""] = linesOf(await overStdio(asLines([messageOf(era, method, params)])));
    expect(status).toBe(era === MODERN ? 404 : 200);
    for (const answer of [text, line]) {
      const error = { code: -32601, message: "Method not found" };
      expect(JSON.parse(answer)).toMatchObject({ id: 1, error });
    }
  });

  test("the tools are listed with the contracts' schemas, which any validator takes", async () => {
    const { tools: listed } = await send(era, "tools/list");
    for (const { inputSchema, outputSchema } of listed) {
      const ajv = formats.default(new Ajv());
      for (const schema of [inputSchema, outputSchema]) expect(ajv.compile(schema)).toBeFunction();
    }
    const clients = { type: "array", items: { enum: ALL_CLIENTS }, minItems: 1 };
    expect(listed.at(-1).inputSchema.properties.clients).toMatchObject(clients);
    delete listed.at(-1).inputSchema.properties.clients;
    expect(listed).toEqual(
      tools.map(({ name, title, description, input, output }) => ({
        name,
        title,
        description,
        inputSchema: toEmbeddedJsonSchema(input),
        outputSchema: toEmbeddedJsonSchema(output),
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

  const CALL = { name: "mcp_config_generator" };

  test("a model chooses the clients of a config", async () => {
    const clients = ["zed", "opencode"] as const;
    const given = { name: "files", command: "npx" };
    const result = await send(era, "tools/call", { ...CALL, arguments: { ...given, clients } });
    expect(result.structuredContent).toEqual(createMcpConfig(given, { clients }));
  });

  const failing = runningServer({
    run: () => {
      throw new TypeError("the inside");
    },
  });

  test("an internal error is logged", async () => {
    await send(era, "tools/call", { ...CALL, arguments: {} }, failing);
    expect(failing.lines.join("")).toContain("TypeError: the inside");
  });
});
