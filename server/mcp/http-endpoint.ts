import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.ts";
import { METHOD_NOT_FOUND, parseJsonRpcMessage } from "./json-rpc-message.ts";

/**
 * Handles POST requests of both protocol generations with JSON, without sessions. Since 2026-07-28
 * each request names its version; before, clients start with `initialize`.
 *
 * @returns a function whose response has an empty body for a notification.
 */
export function createMcpEndpoint(options: McpServerOptions) {
  const modern = createMcpHandler(() => createMcpServer(options), {
    legacy: "reject",
    onerror: () => undefined,
  });

  return async (request: Request, text: string): Promise<{ status: number; body: string }> => {
    const parsed = parseJsonRpcMessage(text);
    if (!("message" in parsed)) {
      const { response } = parsed;
      if (!response) return { status: 202, body: "" };
      return { status: statusOf(response.error?.code), body: JSON.stringify(response) };
    }
    const parsedBody = parsed.message;
    const response = (await isLegacyRequest(request, parsedBody))
      ? await handleLegacyRequest(request, parsedBody, options)
      : await modern.fetch(request, { parsedBody });
    return { status: response.status, body: await response.text() };
  };
}

function statusOf(errorCode: number | undefined): number {
  if (errorCode === undefined) return 200;
  return errorCode === METHOD_NOT_FOUND ? 404 : 400;
}

/** By default, the SDK would respond with an event stream. */
async function handleLegacyRequest(
  request: Request,
  parsedBody: object,
  options: McpServerOptions,
): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const headers = new Headers(request.headers);
  // The response is always JSON, but the SDK requires clients to accept a stream too.
  headers.set("Accept", "application/json, text/event-stream");
  const init = { method: "POST", headers };
  // The request's own URL may be invalid. With JSON, nothing follows the response.
  return transport
    .handleRequest(new Request("http://localhost", init), { parsedBody })
    .finally(() => server.close());
}
