import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { describeTool, toolPath } from "../../src/describe-tool.ts";
import { inputParameter, parseJsonBody, readBody, requireJson } from "../http/request.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  dataResponse,
  type HeaderMap,
  withEtag,
} from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { once } from "../once.ts";
import type { Service } from "../service.ts";
import { runForRequest } from "../service.ts";

const CACHEABLE = dataHeaders({ ...CORS_HEADERS, "Cache-Control": "public, max-age=3600" });

/** A result belongs to who asked for it; one with secrets is kept nowhere. */
const RESULT = dataHeaders({ ...CORS_HEADERS, "Cache-Control": "private, no-cache" });
const SECRET_RESULT = dataHeaders({ ...CORS_HEADERS, "Cache-Control": "no-store" });

const PREFLIGHT: HeaderMap = {
  ...CORS_HEADERS,
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
};

/** The list of the tools, and each tool by GET and by POST. */
export const toolRoutes = (service: Service): Route[] => [
  listRoute(service),
  ...tools.map((contract) => toolRoute(contract, service)),
];

function listRoute(service: Service): Route {
  const body = once(() =>
    JSON.stringify({ tools: tools.map((tool) => describeTool(tool, service.baseUrl())) }),
  );
  return {
    path: "/api/tools",
    methods: { GET: (request) => withEtag(request, body(), CACHEABLE) },
    headers: CORS_HEADERS,
    logged: true,
  };
}

function toolRoute(contract: Contract, service: Service): Route {
  const description = once(() => JSON.stringify(describeTool(contract, service.baseUrl())));
  const run = (input: unknown) => JSON.stringify(runForRequest(contract, input, service));
  const headers = contract.sensitive ? SECRET_RESULT : RESULT;
  return {
    path: toolPath(contract),
    methods: {
      GET(request) {
        const input = inputParameter(request.url);
        if (input === undefined) return withEtag(request, description(), CACHEABLE);
        const result = run(input);
        return contract.sensitive
          ? dataResponse(result, headers)
          : withEtag(request, result, headers);
      },
      async POST(request) {
        requireJson(request);
        return dataResponse(
          run(parseJsonBody(await readBody(request, MAX_TOOL_INPUT_BYTES))),
          headers,
        );
      },
      OPTIONS: () => new Response(null, { status: 204, headers: PREFLIGHT }),
    },
    headers: CORS_HEADERS,
    logged: true,
  };
}
