import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { MAX_TOOL_INPUT_BYTES, tools } from "../../../schemas/index.ts";
import { libraryResult } from "../support/http.ts";
import { asLines, linesOf, overStdio } from "../support/mcp.ts";
import { handtools } from "../support/program.ts";

const ROOT = join(import.meta.dir, "../../..");

interface Answer {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** What the server answers to these messages until their end. */
async function converse(messages: readonly (object | string)[]) {
  const lines = messages.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return conversation(await overStdio(asLines(lines)));
}

/** The same with `handtools mcp serve` as a process. */
async function converseWithProcess(messages: readonly object[]) {
  const child = Bun.spawn([...(await handtools()), "mcp", "serve"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", DEBUG: "1" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  child.stdin.end();
  const [output, error] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
  ]);
  return { ...conversation(output), error, exitCode: await child.exited };
}

function conversation(output: string) {
  const answers = linesOf(output).map((line): Answer => JSON.parse(line));
  return { output, answers, answerTo: (id: unknown) => answers.find((answer) => answer.id === id) };
}

const LEGACY = [
  {
    jsonrpc: "2.0",
    id: "open",
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
];

const META = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

describe.each([
  ["of 2025", LEGACY, {}],
  ["of 2026", [], META],
])("a client %s over standard input and output", (_, opening, meta) => {
  test("lists and calls every tool, and the program ends with its input", async () => {
    const { answerTo, error, exitCode } = await converseWithProcess([
      ...opening,
      request(0, "tools/list", meta),
      ...tools.map(({ name, example_input }) =>
        request(name, "tools/call", { name, arguments: example_input, ...meta }),
      ),
    ]);
    expect(answerTo(0)?.result?.tools).toHaveLength(tools.length);
    for (const tool of tools) {
      const text = libraryResult(tool, tool.example_input, new Date().toISOString().slice(0, 10));
      expect(answerTo(tool.name)?.result).toMatchObject({
        content: [{ type: "text", text }],
        structuredContent: JSON.parse(text),
      });
    }
    expect({ error, exitCode }).toEqual({ error: "", exitCode: 0 });
  });

  test.each([
    [
      "arguments that are nested too deeply",
      { filters: "deep" },
      {},
      /^the arguments (?:are nested too deeply|must have at most 16384 bytes; they have 32012)$/,
    ],
    [
      "too many arguments beside a _meta that is nested too deeply",
      { filters: "x".repeat(16_384) },
      { deep: "deep" },
      /^the arguments must have at most 16384 bytes; they have 16398$/,
    ],
  ])("gets a problem for %s, and the connection goes on", async (_, input, more, text) => {
    const _meta = { ...("_meta" in meta && meta._meta), ...more };
    const params = { name: "mail_filter_generator", arguments: input, _meta };
    const depth = "deep" in more ? 7_000 : 16_000;
    const deep = JSON.stringify(request(1, "tools/call", params)).replace(
      ':"deep"',
      `:${"[".repeat(depth)}${"]".repeat(depth)}`,
    );
    const { answerTo } = await converse([...opening, deep, request(2, "tools/list", meta)]);
    expect(answerTo(1)?.result).toMatchObject({
      content: [{ type: "text", text: expect.stringMatching(text) }],
      isError: true,
    });
    expect(answerTo(2)?.result?.tools).toHaveLength(tools.length);
  });

  test("gets an answer to each message that is not of the protocol, and the connection goes on", async () => {
    const list = request(1, "tools/list", meta);
    const { method: _method, ...withoutMethod } = list;
    const name = "mcp_config_generator";
    const call = JSON.stringify(request("twice", "tools/call", { name, arguments: {}, ...meta }));
    const wrong: (object | string)[] = [
      "nonsense",
      "",
      call.replace('"arguments":{}', '"arguments":{"env":{"A":"1","A":"2"}}'),
      { ...list, jsonrpc: "1.0" },
      { ...list, id: null },
      { ...list, id: 1.5 },
      { ...list, id: {} },
      { ...list, params: [] },
      withoutMethod,
      // The rest is JSON-RPC, but not a message of MCP.
      { ...list, id: 2 ** 53 },
      { ...list, sessionId: "x" },
      { ...list, params: { ...meta, _meta: null } },
    ];
    const { answers, answerTo } = await converse([
      ...opening,
      ...wrong,
      { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "an answer of the client's" } },
      request(2, "tools/list", meta),
    ]);
    expect(answerTo("twice")?.result).toMatchObject({
      content: [{ type: "text", text: "env.A: is given twice" }],
      isError: true,
    });
    expect(answers.flatMap(({ id, error }) => (error ? [[id, error.code]] : []))).toEqual([
      [null, -32_700],
      ...[1, null, 1.5, null, 1, 1, 2 ** 53, 1, 1].map((id) => [id, -32_600]),
    ]);
    expect(answerTo(2)?.result?.tools).toHaveLength(tools.length);
  });
});

test("an answer holds no U+2028 or U+2029, at which some clients end a line", async () => {
  const zaps = [{ name: "a\u2028b\u2029c", action_steps: 1, runs_per_month: 1 }];
  const params = { name: "automation_cost_calculator", arguments: { zaps }, ...META };
  const { output, answerTo } = await converse([request(1, "tools/call", params)]);
  expect(output).not.toMatch(/[\u2028\u2029]/);
  expect(JSON.stringify(answerTo(1)?.result)).toContain("a\u2028b\u2029c");
});

test("a message above the limit is answered by its id, where that is found", async () => {
  const limit = 2 * MAX_TOOL_INPUT_BYTES;
  const list = JSON.stringify(request(1, "tools/list", META));
  const last = { jsonrpc: "2.0", method: "tools/call", params: { x: "é".repeat(limit) }, id: "a" };
  const { answers } = await converse([
    list.padEnd(limit),
    list.padEnd(limit + 1),
    last,
    { ...last, id: { x: 1 } },
    // What is nested is no id of the message.
    { jsonrpc: "2.0", params: { id: 7, x: "x".repeat(limit) } },
    "x".repeat(limit + 1),
    JSON.stringify({ ...last, params: { x: "x".repeat(1_000_000) } }),
    request(2, "tools/list", META),
    // Without an end of its own.
    "x".repeat(limit + 1),
  ]);
  const error = { code: -32_600, message: "the message must have at most 32768 bytes" };
  expect(answers.filter((answer) => !answer.error).map(({ id }) => id)).toEqual([1, 2]);
  expect(answers.filter((answer) => answer.error)).toEqual(
    [1, "a", null, null, null, "a", null].map((id) => ({ jsonrpc: "2.0", id, error })),
  );
});

test("the program ends when nobody reads its answers, though its input stays open", async () => {
  const child = Bun.spawn([...(await handtools()), "mcp", "serve"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["pipe", "pipe", "pipe"],
    timeout: 10_000,
    killSignal: "SIGKILL",
  });
  const reader = child.stdout.getReader();
  child.stdin.write(`${JSON.stringify(request(1, "ping"))}\n`);
  await child.stdin.flush();
  await reader.read();
  await reader.cancel();
  while (child.exitCode === null && child.signalCode === null) {
    child.stdin.write(`${JSON.stringify(request(2, "ping"))}\n`);
    await Promise.race([child.exited, Bun.sleep(50)]);
  }
  expect(child.signalCode).toBeNull();
  expect(child.exitCode).toBe(0);
  expect(await new Response(child.stderr).text()).toBe("");
});
