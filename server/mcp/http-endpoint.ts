import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
import { METHOD_NOT_FOUND, parseJsonRpcMessage } from "./json-rpc-message.ts";

/**
 * Answers POST requests of both eras with JSON, without sessions: since 2026-07-28 each request
 * names its version; before, a client opens with `initialize`.
 *
 * @returns a function whose answer has an empty body for a notification.
 */
export function createMcpEndpoint(host: McpServerOptions) {
  const modern = createMcpHandler(() => createMcpServer(host), {
    legacy: "reject",
    onerror: () => undefined,
  });

  return async (request: Request, text: string): Promise<{ status: number; body: string }> => {
    const read = parseJsonRpcMessage(text);
    if (!("message" in read)) {
      if (!read.answer) return { status: 202, body: "" };
      return { status: statusOf(read.answer.error?.code), body: JSON.stringify(read.answer) };
    }
    const parsedBody = read.message;
    const response = (await isLegacyRequest(request, parsedBody))
      ? await handleLegacyRequest(request, parsedBody, host)
      : await modern.fetch(request, { parsedBody });
    return { status: response.status, body: await response.text() };
  };
}

function statusOf(errorCode: number | undefined): number {
  if (errorCode === undefined) return 200;
  return errorCode === METHOD_NOT_FOUND ? 404 : 400;
}

/** Answers a request of the older era. By default, the SDK would answer with an event stream. */
async function handleLegacyRequest(
  request: Request,
  parsedBody: object,
  host: McpServerOptions,
): Promise<Response> {
  const server = createMcpServer(host);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const headers = new Headers(request.headers);
  // The answer is always JSON, and the SDK rejects who does not accept a stream too.
  headers.set("Accept", "application/json, text/event-stream");
  const init = { method: "POST", headers };
  // Without a usable Host, the request's own URL is none. With JSON, nothing follows the response.
  return transport
    .handleRequest(new Request("http://localhost", init), { parsedBody })
    .finally(() => server.close());
}
