import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { readMessage } from "./message.ts";
import { createMcpServer, type McpDeps } from "./server.ts";

/** An answer over HTTP; without a body for a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Answers POST requests of both eras with JSON, without sessions: since 2026-07-28 each request
 * names its version; before, a client opens with `initialize`.
 */
export function createMcpEndpoint(deps: McpDeps) {
  const create = () => createMcpServer(deps);
  const modern = createMcpHandler(create, {
    legacy: "reject",
    // The tools never change, and an open stream would outlive its request.
    maxSubscriptions: 0,
    onerror: () => undefined,
  });

  /** @param text the request's body. */
  return async (request: Request, text: string): Promise<McpAnswer> => {
    const read = readMessage(text);
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

/** The SDK answers these with an event stream unless the transport is set up by hand. */
async function answerLegacy(
  request: Request,
  parsedBody: object,
  create: () => ReturnType<typeof createMcpServer>,
): Promise<Response> {
  const server = create();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    // The response is complete: with JSON, nothing follows it.
    await server.close();
  }
}
