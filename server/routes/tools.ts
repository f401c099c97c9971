import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { describeTool, toolPath } from "../../src/describe-tool.ts";
import { inputParameter, parseJsonBody, readBody, requireJson } from "../http/request.ts";
import {
  CORS_HEADERS,
  compressedText,
  dataHeaders,
  type Handler,
  type HeaderMap,
  staticText,
  withEtag,
} from "../http/response.ts";
import type { Route } from "../http/route.ts";
import { resultOf, type Service } from "../service.ts";

/** The list of the tools, and each tool by GET and by POST. */
export const toolRoutes = (service: Service): Route[] => [
  {
    path: "/api/tools",
    methods: {
      GET: description(() => ({
        tools: tools.map((tool) => describeTool(tool, service.baseUrl())),
      })),
    },
    headers: CORS_HEADERS,
    logged: true,
  },
  ...tools.map((contract) => toolRoute(contract, service)),
];

const description = (describe: () => object): Handler =>
  staticText(
    () => JSON.stringify(describe()),
    () => dataHeaders({ ...CORS_HEADERS, "Cache-Control": "public, max-age=3600" }),
  );

function toolRoute(contract: Contract, service: Service): Route {
  const describe = description(() => describeTool(contract, service.baseUrl()));
  const run = (input: unknown) => JSON.stringify(resultOf(service.run(contract.name, input)));
  const headers = contract.sensitive ? SECRET_RESULT : RESULT;
  return {
    path: toolPath(contract),
    methods: {
      GET(request) {
        const input = inputParameter(request.url);
        if (input === undefined) return describe(request);
        const result = run(input);
        return contract.sensitive
          ? compressedText(request, result, headers)
          : withEtag(request, result, headers);
      },
      async POST(request) {
        requireJson(request);
        const input = parseJsonBody(await readBody(request, MAX_TOOL_INPUT_BYTES));
        return compressedText(request, run(input), headers);
      },
      OPTIONS: () => new Response(null, { status: 204, headers: PREFLIGHT }),
    },
    headers: CORS_HEADERS,
    logged: true,
  };
}

/** A result belongs to its caller, and one with secrets is not stored anywhere. */
const RESULT = dataHeaders({ ...CORS_HEADERS, "Cache-Control": "private, no-cache" });
const SECRET_RESULT = dataHeaders({ ...CORS_HEADERS, "Cache-Control": "no-store" });

const PREFLIGHT: HeaderMap = {
  ...CORS_HEADERS,
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
};
