import { MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { isLoopback } from "../../src/url.ts";
import { HttpError } from "../http/error.ts";
import { readBody, requireJson, textOfBody } from "../http/request.ts";
import { compressedText, dataHeaders } from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { MCP_PATH } from "../links.ts";
import { once } from "../once.ts";
import type { Service } from "../service.ts";

/** The tools as a server of the Model Context Protocol. */
export function mcpRoutes(service: Service): Route[] {
  if (!service.mcp) return [];
  // The SDK is loaded at the first request: most servers see none.
  const endpoint = once(async () => {
    const { createMcpEndpoint } = await import("../mcp/http.ts");
    return createMcpEndpoint({
      run: service.run,
      onError: (error) => service.log.fault("mcp", error),
    });
  });
  return [
    {
      path: MCP_PATH,
      methods: {
        async POST(request) {
          requireOwnOrigin(request, service.baseUrl());
          requireJson(request);
          const text = textOfBody(await readBody(request, MAX_MESSAGE_BYTES));
          const answer = await (await endpoint())(request, text);
          return answer.body === ""
            ? new Response(null, { status: answer.status, headers: EMPTY })
            : compressedText(request, answer.body, HEADERS, answer.status);
        },
      },
      headers: {},
      logged: true,
    },
  ];
}

/** Arguments of full size as they are, or with every quote escaped, and the frame around them. */
const MAX_MESSAGE_BYTES = 2 * MAX_TOOL_INPUT_BYTES;

/** A result may hold the caller's secrets. */
const HEADERS = dataHeaders({ "Cache-Control": "no-store" });
const EMPTY = new Headers({ "Cache-Control": "no-store" });

/**
 * Refuses scripts of other sites, which could reach a server on the user's own machine. Programs
 * send no Origin. A proxy may change the Host, so it counts only where the server is local.
 */
function requireOwnOrigin(request: Request, baseUrl: string): void {
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
