import {
  BetaSignupOkSchema,
  BetaSignupSchema,
  type Contract,
  ERROR_STATUS,
  ErrorBodySchema,
  type ErrorCode,
  HealthSchema,
  MAX_SIGNUP_BYTES,
  MAX_TOOL_INPUT_BYTES,
  tools,
} from "../../schemas/index.ts";
import { callTool } from "../call-tool.ts";
import type { ToolDescription } from "../describe-tool.ts";
import { bareSchema } from "../json-schema.ts";
import { kibibytes } from "../text.ts";
import type { Components, Content, Example, Reference, Responses, Schema } from "./document.ts";

export const components = (signup: boolean): Components => ({
  schemas: {
    ...ofTools((tool) => [bareSchema(tool.input), bareSchema(tool.output)]),
    ToolDescription: objectSchema(TOOL_DESCRIPTION),
    ToolList: objectSchema({
      tools: { type: "array", items: reference("schemas", "ToolDescription") },
    }),
    Health: bareSchema(HealthSchema),
    ...(signup && {
      BetaSignup: bareSchema(BetaSignupSchema),
      BetaSignupOk: bareSchema(BetaSignupOkSchema),
    }),
    Error: bareSchema(ErrorBodySchema),
  },
  responses: {
    NotModified: {
      description: "The answer is still the one whose ETag was sent.",
      headers: {
        ETag: reference("headers", "ETag"),
        "Cache-Control": reference("headers", "CacheControl"),
      },
    },
    ...errorResponses(signup),
  },
  parameters: {
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      required: false,
      description: "The ETag of an earlier answer.",
      schema: { type: "string" },
    },
  },
  headers: {
    Allow: header("The methods that the path allows."),
    CacheControl: header(
      "public for what is the same for everyone, private for results, no-store for results that may hold secrets.",
    ),
    ETag: header("Names this answer, for If-None-Match. Results that may hold secrets have none."),
    RequestId: header("Under this id the failure is in the server's log."),
  },
  examples: ofTools((tool) => [{ value: tool.example_input }, { value: exampleResult(tool) }]),
  securitySchemes: signup ? { ingestSecret: INGEST_SECRET } : {},
});

const INGEST_SECRET = {
  type: "http",
  scheme: "bearer",
  description: "SIGNUP_INGEST_SECRET, the secret that the site's operator shares with servers.",
};

/** Components for the input and the result of each tool. */
const ofTools = <Part>(partsOf: (tool: Contract) => readonly [input: Part, result: Part]) =>
  Object.fromEntries(
    tools.flatMap((tool) => {
      const [input, result] = partsOf(tool);
      return [
        [inputName(tool), input],
        [resultName(tool), result],
      ];
    }),
  );

function exampleResult({ name, example_input }: Contract): object {
  const outcome = callTool(name, example_input);
  if (!outcome.ok) throw new Error(`The example of ${name} does not run`);
  return outcome.value;
}

/** The components of a tool have the names of its types in the library. */
export const inputName = (contract: Contract): string => `${typeName(contract)}Input`;
export const resultName = (contract: Contract): string => `${typeName(contract)}Result`;

const typeName = ({ function: name }: Contract): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

const url = (description: string): Schema => ({ type: "string", format: "uri", description });
const text = (description: string): Schema => ({ type: "string", description });

const TOOL_DESCRIPTION: Readonly<Record<keyof ToolDescription, Schema>> = {
  name: text("Tool identifier, with underscores."),
  title: text("The tool's name for people."),
  description: text("What it does, for people and agents."),
  page: url("The tool's web page."),
  endpoint: url("Where to send an input, by GET or POST."),
  usage: text("How to call it, in a few sentences."),
  input_schema: { type: "object", description: "JSON Schema 2020-12 of the input." },
  example_input: { type: "object", description: "An input that runs." },
  example_request: url("A URL to GET that runs the example."),
};

const objectSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const header = (description: string) => ({ description, schema: { type: "string" } });

/** The error responses that operations refer to, each with an example for every code of its status. */
const errorResponses = (signup: boolean): Components["responses"] =>
  Object.fromEntries(
    Object.entries(ERROR_RESPONSES).flatMap(
      ([wanted, { name, description, ofSignup, headers }]) => {
        const text = signup ? (ofSignup ?? description) : description;
        if (text === undefined) return [];
        const examples = Object.entries(ERROR_STATUS)
          .filter(([, status]) => status === Number(wanted))
          .map(([code]) => [code, { value: { error: { code, message: "Request rejected" } } }]);
        const content = json("Error", Object.fromEntries(examples));
        return [[name, { description: text, ...(headers && { headers }), content }]];
      },
    ),
  );

export const errors = (...statuses: readonly ErrorStatus[]): Responses =>
  Object.fromEntries(
    statuses.map((status) => [status, reference("responses", ERROR_RESPONSES[status].name)]),
  );

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

interface ErrorResponse {
  readonly name: string;
  /** Left out of an error of the signup alone. */
  readonly description?: string;
  /** The description where the service has a signup, if it is another one. */
  readonly ofSignup?: string;
  readonly headers?: Readonly<Record<string, Reference>>;
}

const ERROR_RESPONSES: Readonly<Record<ErrorStatus, ErrorResponse>> = {
  400: {
    name: "BadRequest",
    description:
      "The input was not JSON or failed validation. For a tool, the message names the problems by their paths, in up to 500 characters.",
  },
  403: {
    name: "Forbidden",
    ofSignup:
      "An Origin header was sent that is not the site's own, or the challenge token was missing, stale or issued elsewhere.",
  },
  404: { name: "NotFound", description: "No free tool has the requested name." },
  405: {
    name: "MethodNotAllowed",
    description: "The path does not allow this method.",
    headers: { Allow: reference("headers", "Allow") },
  },
  413: {
    name: "ContentTooLarge",
    description: `The input of a tool was over ${kibibytes(MAX_TOOL_INPUT_BYTES)}.`,
    ofSignup: `The input of a tool was over ${kibibytes(MAX_TOOL_INPUT_BYTES)}, or the body of a signup over ${kibibytes(MAX_SIGNUP_BYTES)}.`,
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The Content-Type was not application/json.",
  },
  500: {
    name: "InternalServerError",
    description: "The server failed.",
    ofSignup: "The server failed. A signup was not recorded.",
    headers: { "X-Request-Id": reference("headers", "RequestId") },
  },
};

/** JSON by the named schema. */
export const json = (
  schema: string,
  examples: Readonly<Record<string, Example | Reference>>,
): Content => ({ "application/json": { schema: reference("schemas", schema), examples } });

/** JSON by the named schema, with the example of the same name. */
export const exampledJson = (name: string): Content =>
  json(name, { example: reference("examples", name) });

/** Points to a component of the document. */
export function reference(section: keyof Components, name: string): Reference {
  return { $ref: `#/components/${section}/${name}` };
}
