import { Elysia } from "elysia";
import * as v from "valibot";
import { toToolResult } from "../../src/call-tool.ts";
import { isLoopback } from "../../src/url.ts";
import { HttpError } from "../http/error.ts";
import { jsonText, rejectOtherOrigins } from "../http/request.ts";
import { sendText } from "../http/send.ts";
import { MCP_PATH } from "../links.ts";
import { MAX_MESSAGE_BYTES } from "../mcp/max-message.ts";
import type { Service } from "../service.ts";

/** The tools as a server of the Model Context Protocol, by messages in JSON. */
export function mcp(service: Service) {
  if (!service.mcp) return new Elysia();
  const open = async () => {
    const { createMcpEndpoint } = await import("../mcp/http.ts");
    return createMcpEndpoint({
      run: (...call) => toToolResult(() => service.run(...call)),
      onError: (error) => service.log.error("mcp", error),
    });
  };
  let endpoint: ReturnType<typeof open> | undefined;
  return new Elysia().post(
    MCP_PATH,
    async ({ request, body: message, set }) => {
      // The SDK is loaded at the first request: most servers see none.
      endpoint ??= open();
      const { status, body } = await (await endpoint)(request, message);
      // A result may hold the caller's secrets.
      set.headers["cache-control"] = "no-store";
      set.status = status;
      if (body !== "") return sendText({ request, set }, body);
      delete set.headers["content-type"];
      return "";
    },
    {
      parse: jsonText(MAX_MESSAGE_BYTES),
      body: v.string(),
      beforeHandle: ({ request }) => requireOwnOrigin(request, service.baseUrl()),
    },
  );
}

/**
 * Rejects scripts of other sites, which could reach a server on the user's own machine. Programs
 * send no Origin. A proxy may change the Host, so it counts only where the server is local.
 */
function requireOwnOrigin(request: Request, baseUrl: string): void {
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const isOfLocal = (url: string) => isLocal && isLoopback(URL.parse(url)?.hostname ?? "");
  // The pages of other programs of this machine may call the tools, such as the MCP Inspector.
  if (!isOfLocal(request.headers.get("origin") ?? "")) rejectOtherOrigins(request, baseUrl);
  const host = request.headers.get("host");
  if (isLocal && host !== null && !isOfLocal(`http://${host}`)) {
    throw new HttpError("origin_rejected");
  }
}
