import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { exampledJson } from "./content.ts";
import type { Operation, Parameter, PathItem, Responses } from "./document.ts";
import { errors } from "./error-responses.ts";
import { kibibytes } from "./kibibytes.ts";
import { reference } from "./reference.ts";
import { inputName, resultName } from "./tool-components.ts";

const LIMIT = kibibytes(MAX_TOOL_INPUT_BYTES);

const ABOUT_GET =
  "Without `input` it answers with its description, the schema of its input and an example; with `input`, as POST does.";
const ABOUT_SECRETS = "Send an input that holds secrets by POST: histories and logs keep URLs.";

/** No key is needed. */
const open = { tags: ["Tools"], security: [] };

const cached = { "Cache-Control": reference("headers", "CacheControl") };
const tagged = { ETag: reference("headers", "ETag"), ...cached };
const ifNoneMatch = reference("parameters", "IfNoneMatch");
const notModified: Responses = { 304: reference("responses", "NotModified") };

export const listTools: Operation = {
  operationId: "listTools",
  ...open,
  summary: "List the tools",
  description: "Every tool with its description, its input schema and a request that runs.",
  parameters: [ifNoneMatch],
  responses: {
    200: {
      description: "The tools.",
      headers: tagged,
      content: { "application/json": { schema: reference("schemas", "ToolList") } },
    },
    ...notModified,
    ...errors(405, 500),
  },
};

/** A tool by GET and by POST. */
export const toolOperations = (contract: Contract): PathItem => ({
  get: getTool(contract),
  post: runTool(contract),
});

const getTool = (contract: Contract): Operation => ({
  operationId: `get_${contract.name}`,
  ...open,
  summary: `${contract.title}: describe it, or run it by GET`,
  description: [
    contract.description,
    ABOUT_GET,
    ...(contract.sensitive ? [ABOUT_SECRETS] : []),
  ].join("\n\n"),
  parameters: [inputParameter(contract), ifNoneMatch],
  responses: {
    200: {
      description: "The result; without `input` the description.",
      headers: tagged,
      content: {
        "application/json": {
          schema: {
            oneOf: [
              reference("schemas", resultName(contract)),
              reference("schemas", "ToolDescription"),
            ],
          },
          examples: { result: reference("examples", resultName(contract)) },
        },
      },
    },
    ...notModified,
    ...errors(400, 404, 405, 413, 500),
  },
});

const inputParameter = (contract: Contract): Parameter => ({
  name: "input",
  in: "query",
  required: false,
  description: `The input as JSON, URL-encoded: once, and at most ${LIMIT} of UTF-8 when decoded.`,
  content: exampledJson(inputName(contract)),
});

const runTool = (contract: Contract): Operation => ({
  operationId: `run_${contract.name}`,
  ...open,
  summary: `${contract.title}: run it`,
  description: contract.description,
  requestBody: {
    required: true,
    description: `The input, at most ${LIMIT}.`,
    content: exampledJson(inputName(contract)),
  },
  responses: {
    200: {
      description: "The result.",
      headers: cached,
      content: exampledJson(resultName(contract)),
    },
    ...errors(400, 404, 405, 413, 415, 500),
  },
});
