import { Elysia } from "elysia";
import * as v from "valibot";
import { rejectForeignOrigins } from "../http/origin.ts";
import { readBodyText } from "../http/request.ts";
import { sendText } from "../http/respond.ts";
import { MCP_PATH } from "../paths.ts";
import { MAX_MESSAGE_BYTES, type Service } from "../service.ts";

/** The Model Context Protocol over HTTP. */
export function mcpRoute(service: Service) {
  if (!service.config.MCP) return new Elysia();
  const open = async () => {
    const { createMcpEndpoint } = await import("../mcp/http-endpoint.ts");
    return createMcpEndpoint({
      run: service.run,
      onError: (error) => service.log.error("mcp", error),
    });
  };
  let endpoint: ReturnType<typeof open> | undefined;
  return new Elysia().post(
    MCP_PATH,
    async ({ request, body: message, set }) => {
      // Loads the SDK at the first request, because most servers get none.
      endpoint ??= open();
      const { status, body } = await (await endpoint)(request, message);
      // A result may contain the caller's secrets.
      set.headers["cache-control"] = "no-store";
      set.status = status;
      if (body !== "") return sendText({ request, set }, body);
      delete set.headers["content-type"];
      return "";
    },
    {
      parse: ({ request }) => readBodyText(request, "application/json", MAX_MESSAGE_BYTES),
      body: v.string(),
      beforeHandle: ({ request }) => rejectForeignOrigins(request, service.baseUrl()),
    },
  );
}
