/**
 * Stands in for the models of all providers, on loopback: it answers a request that offers the
 * tool with a call of it, and all others with a word.
 */
export function startModel(tool: string, input: object) {
  const results: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const dialect = DIALECTS.find(({ path }) => path.test(pathname));
      if (!dialect || request.method !== "POST") return new Response(null, { status: 404 });
      const message: ModelRequest = JSON.parse(await request.text());
      const given = dialect.resultsOf(message);
      results.push(...given);
      const offered = dialect.toolsOf(message).find(({ name }) => name?.endsWith(tool));
      const events = offered && given.length === 0 ? dialect.call(offered, input) : dialect.say();
      return new Response(events.map(eventText).join(""), {
        headers: { "Content-Type": "text/event-stream" },
      });
    },
  });
  return {
    url: String(server.url).replace(/\/$/, ""),
    /** The results of tools since the last time it was asked, each as the model reads it. */
    takeResults: () => results.splice(0),
    stop: () => server.stop(true),
  };
}

export type Model = ReturnType<typeof startModel>;

/** The API of a provider. */
interface Dialect {
  readonly path: RegExp;
  toolsOf(request: ModelRequest): readonly Tool[];
  resultsOf(request: ModelRequest): readonly string[];
  /** The events of an answer that calls the tool. */
  call(tool: Tool, input: object): readonly Event[];
  /** The events of an answer in words. */
  say(): readonly Event[];
}

interface Tool {
  readonly name?: string | undefined;
  /** The name of the group that the tool is in. */
  readonly namespace?: string | undefined;
}

type Event = Readonly<Record<string, unknown>> | "[DONE]";

/** The parts of a request that name tools and hold their results, of every provider's API. */
interface ModelRequest {
  readonly tools?: readonly (Tool & {
    readonly tools?: readonly Tool[];
    readonly function?: Tool;
    readonly functionDeclarations?: readonly Tool[];
  })[];
  readonly messages?: readonly { readonly role: string; readonly content?: Content }[];
  readonly input?: readonly { readonly type: string; readonly output?: Content }[];
  readonly contents?: readonly {
    readonly parts: readonly { readonly functionResponse?: { readonly response: object } }[];
  }[];
}

type Content =
  | string
  | readonly { readonly type: string; readonly text?: string; readonly content?: Content }[];

const textOf = (content: Content = ""): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");

const eventText = (event: Event): string => {
  if (event === "[DONE]") return "data: [DONE]\n\n";
  const name = typeof event.type === "string" ? `event: ${event.type}\n` : "";
  return `${name}data: ${JSON.stringify(event)}\n\n`;
};

const WORD = "done";
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

/** https://platform.claude.com/docs/en/api/messages-streaming */
const messages: Dialect = {
  path: /\/v1\/messages$/,
  toolsOf: ({ tools = [] }) => tools,
  resultsOf: ({ messages = [] }) =>
    messages
      .flatMap(({ content = [] }) => (typeof content === "string" ? [] : content))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => textOf(content)),
  call: ({ name }, input) =>
    messageEvents(
      "tool_use",
      { type: "tool_use", id: "toolu_1", name, input: {} },
      { type: "input_json_delta", partial_json: JSON.stringify(input) },
    ),
  say: () =>
    messageEvents("end_turn", { type: "text", text: "" }, { type: "text_delta", text: WORD }),
};

function messageEvents(reason: string, block: object, delta: object): Event[] {
  const message = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "stand-in", content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage: USAGE },
  };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: USAGE },
    { type: "message_stop" },
  ];
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const responses: Dialect = {
  path: /\/responses$/,
  toolsOf: ({ tools = [] }) =>
    tools.flatMap((tool): readonly Tool[] =>
      tool.tools ? tool.tools.map(({ name }) => ({ name, namespace: tool.name })) : [tool],
    ),
  resultsOf: ({ input = [] }) =>
    input.filter(({ type }) => type === "function_call_output").map(({ output }) => textOf(output)),
  call: ({ name, namespace }, input) =>
    responseEvents({
      ...{ type: "function_call", id: "fc_1", call_id: "call_1", name, namespace },
      arguments: JSON.stringify(input),
    }),
  say: () =>
    responseEvents({
      ...{ type: "message", id: "msg_1", role: "assistant" },
      content: [{ type: "output_text", text: WORD }],
    }),
};

const responseEvents = (item: object): Event[] => [
  { type: "response.created", response: { id: "resp_1" } },
  { type: "response.output_item.done", output_index: 0, item },
  { type: "response.completed", response: { id: "resp_1", output: [item], usage: USAGE } },
];

/** https://platform.openai.com/docs/api-reference/chat-streaming */
const chat: Dialect = {
  path: /\/chat\/completions$/,
  toolsOf: ({ tools = [] }) => tools.map((tool) => tool.function ?? tool),
  resultsOf: ({ messages = [] }) =>
    messages.filter(({ role }) => role === "tool").map(({ content }) => textOf(content)),
  call: ({ name }, input) => {
    const call = { name, arguments: JSON.stringify(input) };
    const calls = [{ index: 0, id: "call_1", type: "function", function: call }];
    return chatEvents({ role: "assistant", tool_calls: calls }, "tool_calls");
  },
  say: () => chatEvents({ role: "assistant", content: WORD }, "stop"),
};

const chatEvents = (delta: object, reason: string): Event[] => {
  const chunk = { id: "chat_1", object: "chat.completion.chunk", created: 1, model: "stand-in" };
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    "[DONE]",
  ];
};

/** https://ai.google.dev/api/generate-content */
const generateContent: Dialect = {
  path: /:streamGenerateContent$/,
  toolsOf: ({ tools = [] }) => tools.flatMap((tool) => tool.functionDeclarations ?? []),
  resultsOf: ({ contents = [] }) =>
    contents
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []))
      .map((response) => ("output" in response ? String(response.output) : WORD)),
  call: ({ name }, input) => contentEvents({ functionCall: { name, args: input } }),
  say: () => contentEvents({ text: WORD }),
};

const contentEvents = (part: object): Event[] => [
  {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
];

const DIALECTS: readonly Dialect[] = [messages, responses, chat, generateContent];
