import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { readMessage } from "./message.ts";
import { createMcpServer, type McpHost } from "./server.ts";

/** An answer over HTTP; without a body for a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Answers POST requests of both eras with JSON, without sessions: since 2026-07-28 each request
 * names its version; before, a client opens with `initialize`.
 */
export function createMcpEndpoint(host: McpHost) {
  const create = () => createMcpServer(host);
  const modern = createMcpHandler(create, {
    legacy: "reject",
    // The tools never change, and an open stream would outlive its request.
    maxSubscriptions: 0,
    onerror: () => undefined,
  });

  return async (request: Request, text: string): Promise<McpAnswer> => {
    const read = readMessage(text);
    if ("isIgnored" in read) return { status: 202, body: "" };
    if ("answer" in read) {
      return { status: read.isMalformed ? 400 : 200, body: JSON.stringify(read.answer) };
    }
    const parsedBody = read.message;
    const response = (await isLegacyRequest(request, parsedBody))
      ? await answerLegacy(request, parsedBody, create)
      : await modern.fetch(request, { parsedBody });
    return { status: response.status, body: await response.text() };
  };
}

const ACCEPTS_JSON = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))(?:$|[\s,;])/i;

/** Answers a request of the older era. By default, the SDK would answer with an event stream. */
async function answerLegacy(
  request: Request,
  parsedBody: object,
  create: () => ReturnType<typeof createMcpServer>,
): Promise<Response> {
  const server = create();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const headers = new Headers(request.headers);
  // The SDK asks for both types and knows no wildcard, though the answer is always JSON.
  if (ACCEPTS_JSON.test(headers.get("Accept") ?? "*/*")) {
    headers.set("Accept", "application/json, text/event-stream");
  }
  try {
    return await transport.handleRequest(new Request(request.url, { method: "POST", headers }), {
      parsedBody,
    });
  } finally {
    // The response is complete: with JSON, nothing follows it.
    await server.close();
  }
}
