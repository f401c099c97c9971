import { type Contract, MAX_TOOL_INPUT_BYTES, tools } from "../../schemas/index.ts";
import { callTool } from "../../src/call-tool.ts";
import { describeTool, toolPath } from "../../src/describe-tool.ts";
import { plural } from "../../src/plural.ts";
import { formatIssue, type ToolFailure } from "../../src/result.ts";
import { readBody, tooLarge } from "../http/body.ts";
import { parseJson, parseJsonBody } from "../http/json.ts";
import { requireJson } from "../http/media-type.ts";
import { queryParameter } from "../http/query.ts";
import { once } from "../once.ts";
import { Refusal } from "../refusal.ts";
import { data, dataHeaders, type HeaderMap, OPEN, tagged } from "../respond.ts";
import type { Route } from "../route.ts";
import type { Service } from "../service.ts";

const DESCRIPTION = dataHeaders({ ...OPEN, "Cache-Control": "public, max-age=3600" });

/** A result belongs to who asked for it; one with secrets is kept nowhere. */
const RESULT = dataHeaders({ ...OPEN, "Cache-Control": "private, no-cache" });
const SECRET_RESULT = dataHeaders({ ...OPEN, "Cache-Control": "no-store" });

const PREFLIGHT: HeaderMap = {
  ...OPEN,
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
    methods: { GET: (request) => tagged(request, body(), DESCRIPTION) },
    headers: OPEN,
    logged: true,
  };
}

function toolRoute(contract: Contract, service: Service): Route {
  const description = once(() => JSON.stringify(describeTool(contract, service.baseUrl())));
  const run = (input: unknown) => runTool(contract, input, service);
  const headers = contract.sensitive ? SECRET_RESULT : RESULT;
  return {
    path: toolPath(contract),
    methods: {
      GET(request) {
        const input = queryParameter(request.url, "input");
        if (input === undefined) return tagged(request, description(), DESCRIPTION);
        if (Buffer.byteLength(input) > MAX_TOOL_INPUT_BYTES) throw tooLarge(MAX_TOOL_INPUT_BYTES);
        const result = run(parseJson(input));
        return contract.sensitive ? data(result, headers) : tagged(request, result, headers);
      },
      async POST(request) {
        requireJson(request);
        return data(run(parseJsonBody(await readBody(request, MAX_TOOL_INPUT_BYTES))), headers);
      },
      OPTIONS: () => new Response(null, { status: 204, headers: PREFLIGHT }),
    },
    headers: OPEN,
    logged: true,
  };
}

function runTool({ name }: Contract, input: unknown, { settings }: Service): string {
  const outcome = callTool(name, input, settings[name]);
  if (outcome.ok) return JSON.stringify(outcome.value);
  if (outcome.error.code === "invalid_request") {
    throw new Refusal("invalid_request", firstProblem(outcome.error));
  }
  throw outcome.error.cause;
}

/** The first problem by its path, and how many more there are, so that an agent can mend its call. */
function firstProblem({ issues }: ToolFailure): string {
  const [first] = issues;
  const more = issues.length - 1;
  const others = more === 0 ? "" : ` (${plural(more, "more problem")})`;
  return first ? `${formatIssue(first)}${others}` : "";
}
