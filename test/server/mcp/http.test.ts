import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { ALL_CLIENTS, tools } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { bareSchema } from "../../../src/json-schema.ts";
import { jsonPost, LARGE_RESULT, mcpPost } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const GOLDEN = join(import.meta.dir, "../../golden");

const server = runningServer();
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
        inputSchema: bareSchema(input),
        outputSchema: bareSchema(output),
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

  test("every schema compiles in a validator of any dialect", async () => {
    const { answer } = await send(era, "tools/list");
    const listed: { inputSchema: object; outputSchema: object }[] = Object(answer.result.tools);
    for (const { inputSchema, outputSchema } of listed) {
      const ajv = formats.default(new Ajv());
      for (const schema of [inputSchema, outputSchema]) expect(ajv.compile(schema)).toBeFunction();
    }
  });

  const SERVER = { name: "files", command: "npx" };

  test("a model chooses the clients of a config", async () => {
    const name = "mcp_config_generator";
    const { answer } = await call(era, name, { ...SERVER, clients: ["zed", "opencode"] });
    expect(answer.result.structuredContent).toEqual(
      mcpConfig(SERVER, { clients: ["zed", "opencode"] }),
    );
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
        const text = JSON.stringify(answer.result.structuredContent);
        expect(answer.result.content).toEqual([{ type: "text", text }]);
        expect(answer.result.isError).toBeUndefined();
      }
    }
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
      "args: makes a result of more than 333,333 bytes",
    );
  });
});
