import { toToolResult } from "../../src/call-tool.ts";
import { isLoopback } from "../../src/url.ts";
import { HttpError } from "../http/error.ts";
import { dataHeaders, type Handler, respond } from "../http/response.ts";
import { once } from "../once.ts";
import type { Service } from "../service.ts";

/** The tools as a server of the Model Context Protocol, by messages in JSON. */
export function mcpByPost(service: Service): Handler {
  // The SDK is loaded at the first request: most servers see none.
  const endpoint = once(async () => {
    const { createMcpEndpoint } = await import("../mcp/http.ts");
    return createMcpEndpoint({
      run: (...call) => toToolResult(() => service.run(...call)),
      onError: (error) => service.log.error("mcp", error),
    });
  });
  return async (request, text) => {
    const { status, body } = await (await endpoint())(request, String(text));
    return body === ""
      ? new Response(null, { status, headers: EMPTY })
      : respond(body, { headers: HEADERS, status, request });
  };
}

/** A result may hold the caller's secrets. */
const HEADERS = dataHeaders({ "Cache-Control": "no-store" });
const EMPTY = new Headers({ "Cache-Control": "no-store" });

/**
 * Rejects scripts of other sites, which could reach a server on the user's own machine. Programs
 * send no Origin. A proxy may change the Host, so it counts only where the server is local.
 */
export function requireOwnOrigin(request: Request, baseUrl: string): void {
  const origin = request.headers.get("origin");
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  if (origin !== null && origin !== baseUrl && !(isLocal && isLoopbackUrl(origin))) {
    throw new HttpError("origin_rejected");
  }
  const host = request.headers.get("host");
  if (isLocal && host !== null && !isLoopbackUrl(`http://${host}`)) {
    throw new HttpError("origin_rejected");
  }
}

function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isLoopback(url.hostname);
}
