import * as v from "valibot";
import { described, uri } from "../schemas/common.ts";
import { MAX_TOOL_INPUT_BYTES } from "../schemas/http.ts";
import type { Contract } from "../schemas/index.ts";
import { ALL_CLIENTS } from "../schemas/mcp-config.ts";
import { toJsonSchema } from "./json-schema.ts";
import { joinWithConjunction, kibibytes } from "./text.ts";

const url = (description: string) => v.pipe(v.string(), uri(), v.description(description));
const anyObject = (description: string) =>
  v.pipe(
    v.custom<object>(() => true),
    v.metadata({ type: "object" }),
    v.description(description),
  );

/** The response to `GET` of a tool's endpoint. */
export const toolDescriptionSchema = () =>
  v.strictObject({
    name: described(v.string(), "Tool identifier, with underscores."),
    title: described(v.string(), "The tool's display name."),
    description: described(v.string(), "What it does, for people and agents."),
    page: url("The tool's web page."),
    endpoint: url("Where to send an input, with GET or POST."),
    usage: described(v.string(), "How to call it, in a few sentences."),
    input_schema: anyObject("JSON Schema 2020-12 of the input."),
    example_input: anyObject("A valid example input."),
    example_request: url("A URL that runs the example when fetched."),
  });

/** Explains how to choose the clients, which are not part of the input. */
export const clientsUsage = ({ clients }: Contract): string =>
  clients === undefined
    ? ""
    : ` To choose the clients, add clients=zed,opencode to the URL's query; over MCP, pass a list as the argument clients. The clients are ${joinWithConjunction(ALL_CLIENTS, "and")}.`;

/** @param baseUrl the service's origin, without a trailing slash. */
export function describeTool(
  contract: Contract,
  baseUrl: string,
): v.InferOutput<ReturnType<typeof toolDescriptionSchema>> {
  const endpoint = `${baseUrl}${toolPath(contract)}`;
  return {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    page: `${baseUrl}/tools/${contract.segment}`,
    endpoint,
    usage: `POST the input as JSON to ${endpoint}, or GET ${endpoint}?input=<URL-encoded JSON>. No key is needed; the input may have ${kibibytes(MAX_TOOL_INPUT_BYTES)}.${clientsUsage(contract)}`,
    input_schema: toJsonSchema(contract.input),
    example_input: Object(contract.example_input),
    example_request: urlWithInput(endpoint, contract.example_input),
  };
}

export const toolPath = ({ segment }: Contract): string => `/api/tools/${segment}`;

export const urlWithInput = (url: string, input: unknown): string =>
  `${url}?input=${encodeURIComponent(JSON.stringify(input))}`;
