import { Elysia } from "elysia";
import { MAX_TOOL_INPUT_BYTES, type ToolContract, tools } from "../../schemas/index.ts";
import { describeTool, toolPath } from "../../src/describe-tool.ts";
import { formatWarnings } from "../../src/findings.ts";
import { validate } from "../../src/issues.ts";
import type { Tool } from "../../src/tool.ts";
import { jsonParser, listParameter, parseInputParameter } from "../http/request.ts";
import { cachedHandler, type RequestContext, sendText } from "../http/respond.ts";
import { waitForTurn } from "../http/schedule-request.ts";
import type { Service } from "../service.ts";

export const toolRoutes = (service: Service) =>
  new Elysia()
    .get(
      "/api/tools",
      cachedHandler(
        () => JSON.stringify({ tools: tools.map((tool) => describeTool(tool, service.baseUrl())) }),
        () => CACHE_FOR_AN_HOUR,
      ),
    )
    .options("/api/tools", preflight)
    .use(service.tools.map((tool) => toolRoute(tool, service)));

function toolRoute(tool: Tool<ToolContract>, service: Service) {
  const { contract } = tool;
  const path = toolPath(contract);
  const describe = cachedHandler(
    () => JSON.stringify(describeTool(contract, service.baseUrl())),
    () => CACHE_FOR_AN_HOUR,
  );
  const respond = ({ request, set }: RequestContext, input: unknown, withEtag: boolean) => {
    const schema = "clients" in contract ? contract.clients : undefined;
    const chosen = schema && listParameter(request.url, "clients");
    const clients = chosen && validate(schema, chosen, ["clients"]);
    const result = service.run(tool, input, clients && { clients });
    // Only the caller's browser may store a result, and none may store secrets.
    set.headers["cache-control"] = contract.sensitive ? "no-store" : "private, no-cache";
    return sendText({ request, set }, JSON.stringify(formatWarnings(result)), withEtag);
  };
  return new Elysia()
    .get(path, async ({ request, set }) => {
      const input = parseInputParameter(request.url, MAX_TOOL_INPUT_BYTES);
      if (input === undefined) return describe({ request, set });
      await waitForTurn(request.url.length);
      return respond({ request, set }, input, !contract.sensitive);
    })
    .post(path, ({ request, set, body }) => respond({ request, set }, body, false), {
      parse: jsonParser(MAX_TOOL_INPUT_BYTES),
    })
    .options(path, preflight);
}

const CACHE_FOR_AN_HOUR = { "cache-control": "public, max-age=3600" };

/** Lets scripts of other sites send JSON, and headers such as trace IDs. */
export function preflight({ set }: RequestContext): Response {
  delete set.headers["content-type"];
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "*",
      "access-control-max-age": "86400",
    },
  });
}
