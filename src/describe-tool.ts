import { type Contract, MAX_TOOL_INPUT_BYTES } from "../schemas/index.ts";
import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import { kibibytes } from "./text.ts";

/** The answer to `GET` of a tool's endpoint: exactly these nine keys. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly page: string;
  readonly endpoint: string;
  readonly usage: string;
  readonly input_schema: JsonSchema;
  readonly example_input: unknown;
  /** A GET URL that runs the example. */
  readonly example_request: string;
}

/** @param baseUrl the service's own origin, without a trailing slash. */
export function describeTool(contract: Contract, baseUrl: string): ToolDescription {
  const endpoint = `${baseUrl}${toolPath(contract)}`;
  return {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    page: `${baseUrl}/tools/${contract.segment}`,
    endpoint,
    usage: `POST the input as JSON to ${endpoint}, or GET ${endpoint}?input=<URL-encoded JSON>. No key is needed; the input may have ${kibibytes(MAX_TOOL_INPUT_BYTES)}.`,
    input_schema: jsonSchema(contract.input),
    example_input: contract.example_input,
    example_request: urlWithInput(endpoint, contract.example_input),
  };
}

export const toolPath = ({ segment }: Contract): string => `/api/tools/${segment}`;

/** The URL of a GET request with the input in its query. */
export const urlWithInput = (url: string, input: unknown): string =>
  `${url}?input=${encodeURIComponent(JSON.stringify(input))}`;
