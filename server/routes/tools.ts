import { type Contract, tools } from "../../schemas/index.ts";
import { describeTool } from "../../src/describe-tool.ts";
import { validate } from "../../src/issues.ts";
import { inputParameter, listParameter } from "../http/request.ts";
import {
  CORS_HEADERS,
  dataHeaders,
  type Handler,
  type HeaderMap,
  respond,
  respondFixed,
} from "../http/response.ts";
import type { Service } from "../service.ts";

export const toolList = (service: Service): Handler =>
  description(() => ({ tools: tools.map((tool) => describeTool(tool, service.baseUrl())) }));

/** A tool's result for the input in the query of at most `limit` bytes, else its description. */
export function toolByGet(contract: Contract, service: Service, limit: number): Handler {
  const describe = description(() => describeTool(contract, service.baseUrl()));
  const run = runnerOf(contract, service);
  const headers = resultHeaders(contract);
  return (request) => {
    const input = inputParameter(request.url, limit);
    if (input === undefined) return describe(request);
    return respond(run(input, request.url), { headers, request, tagged: !contract.sensitive });
  };
}

/** A tool's result for the input in a body. */
export function toolByPost(contract: Contract, service: Service): Handler {
  const run = runnerOf(contract, service);
  const headers = resultHeaders(contract);
  return (request, input) => respond(run(input, request.url), { headers, request });
}

const description = (describe: () => object): Handler =>
  respondFixed(() => JSON.stringify(describe()), {
    headers: () => dataHeaders({ ...CORS_HEADERS, "Cache-Control": "public, max-age=3600" }),
  });

const runnerOf =
  ({ name, clients }: Contract, service: Service) =>
  (input: unknown, url: string): string => {
    const chosen = listParameter(url, "clients");
    if (!clients || chosen === undefined) return JSON.stringify(service.run(name, input));
    return JSON.stringify(
      service.run(name, input, { clients: validate(clients, chosen, ["clients"]) }),
    );
  };

/** A result belongs to its caller, and one with secrets is not stored anywhere. */
const resultHeaders = ({ sensitive }: Contract): Headers =>
  dataHeaders({ ...CORS_HEADERS, "Cache-Control": sensitive ? "no-store" : "private, no-cache" });

/** Lets scripts of other sites send JSON, and what they trace requests by. */
export const preflight: Handler = () => new Response(null, { status: 204, headers: PREFLIGHT });

const PREFLIGHT: HeaderMap = {
  ...CORS_HEADERS,
  "Access-Control-Allow-Methods": "GET, HEAD, POST",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
};
