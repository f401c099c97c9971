import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import {
  API_VERSION,
  type BetaSignup,
  type BetaSignupOk,
  BetaSignupOkSchema,
  BetaSignupSchema,
  type Contract,
  ERROR_STATUS,
  ErrorBodySchema,
  type ErrorCode,
  HEALTH_MEDIA_TYPE,
  type Health,
  HealthSchema,
  MAX_SIGNUP_BYTES,
  MAX_TOOL_INPUT_BYTES,
  tools,
} from "../schemas/index.ts";
import { RateLimitedBodySchema } from "../schemas/signup.ts";
import { callTool } from "./call-tool.ts";
import { toolDescriptionSchema, toolPath } from "./describe-tool.ts";
import { fileSchemas } from "./file-schemas.ts";
import { validate } from "./issues.ts";
import { toEmbeddedJsonSchema } from "./json-schema.ts";
import { kibibytes } from "./text.ts";
import { parseOrigin } from "./url.ts";

/**
 * Describes the HTTP service in OpenAPI 3.1. The example results come from running the tools.
 *
 * @param options `baseUrl`: the service's origin, without a trailing slash. `signup`: whether it has the
 * newsletter signup, by default true.
 * @returns a JSON object, which the tests check against the specification.
 * @throws {InvalidInputError} if the options break their schema.
 *
 * @example
 * createOpenApiDocument({ baseUrl: "https://tools.example.com" }).openapi; // 3.1.1
 */
export function createOpenApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { baseUrl, signup = true } = validate(OpenApiOptionsSchema, options, ["options"]);
  return {
    openapi: "3.1.1",
    info: {
      title: "Handtools",
      version: API_VERSION,
      summary: signup
        ? "Free tools over HTTP, a health check and a newsletter signup."
        : "Free tools over HTTP and a health check.",
      description: API_DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl }],
    tags: [
      { name: "Tools", description: "Open to any client: no key, no account." },
      { name: "Health", description: "For monitoring the service." },
      ...(signup ? [{ name: "Signup", description: "The newsletter form of the site." }] : []),
    ],
    paths: {
      "/api/tools": { get: listTools },
      ...Object.fromEntries(
        tools.map((tool) => [toolPath(tool), { get: getTool(tool), post: postTool(tool) }]),
      ),
      "/api/health": { get: getHealth },
      ...(signup && { "/api/beta-signup": { post: createBetaSignup } }),
    },
    components: components(signup),
  };
}

const OpenApiOptionsSchema = closedObject({
  baseUrl: v.pipe(
    v.string(),
    v.check(
      (text) => parseOrigin(text) === text,
      "must be an origin without a slash at its end, such as https://tools.example.com",
    ),
  ),
  signup: v.optional(v.boolean()),
});

/** An OpenAPI 3.1.1 document: <https://spec.openapis.org/oas/v3.1.1.html>. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** Options of `createOpenApiDocument()`. */
export interface OpenApiOptions extends Readonly<v.InferInput<typeof OpenApiOptionsSchema>> {}

const API_DESCRIPTION = `Free tools for people, programs and AI agents, without a key or an account.

- POST a JSON object to a tool, with \`Content-Type: application/json\`, and get one back. Or GET with \`?input=<URL-encoded JSON>\`. GET without \`input\` describes the tool; \`GET /api/tools\` describes them all.
- The same input gives the same result; only \`price_doubt\` of the cost calculator depends on the day.
- An error is \`{ "error": { "code", "message" } }\`. Branch on \`code\`; \`message\` is for people.
- HEAD works wherever GET does. Scripts of any site may use the tools, with their own headers (CORS).
- For the files of the command line, editors can use the JSON Schemas at ${fileSchemas.map(({ name }) => `\`/schemas/${name}.json\``).join(", ")}.
- Unknown paths return 404 \`not_found\`.`;

const INPUT_LIMIT = kibibytes(MAX_TOOL_INPUT_BYTES);

const ERROR_NAMES: Readonly<Record<ErrorStatus, string>> = {
  400: "BadRequest",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  413: "ContentTooLarge",
  415: "UnsupportedMediaType",
  500: "InternalServerError",
};

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

const openToAll = { tags: ["Tools"], security: [] };

const cached = { "Cache-Control": componentRef("headers", "CacheControl") };
const withEtag = { ETag: componentRef("headers", "ETag"), ...cached };
const ifNoneMatch = componentRef("parameters", "IfNoneMatch");
const notModified = { 304: componentRef("responses", "NotModified") };

const listTools = {
  operationId: "listTools",
  ...openToAll,
  summary: "List the tools",
  description: "Every tool with its description, its input schema and an example request.",
  parameters: [ifNoneMatch],
  responses: {
    200: {
      description: "The tools.",
      headers: withEtag,
      content: { "application/json": { schema: componentRef("schemas", "ToolList") } },
    },
    ...notModified,
    ...errorResponses(405, 500),
  },
};

const getTool = (contract: Contract) => ({
  operationId: `get_${contract.name}`,
  ...openToAll,
  summary: `${contract.title}: describe it, or run it with GET`,
  description: `${contract.description}

Without \`input\` it returns the tool's description, its input schema and an example. With \`input\` it returns what POST does.${contract.sensitive ? "\n\nSend an input that holds secrets with POST: browser histories and logs keep URLs." : ""}`,
  parameters: [
    {
      name: "input",
      in: "query",
      required: false,
      description: `The input as JSON, URL-encoded: once, and at most ${INPUT_LIMIT} of UTF-8 when decoded.`,
      // A string, because generated clients send objects as [object Object], or not at all.
      schema: {
        type: "string",
        contentMediaType: "application/json",
        contentSchema: componentRef("schemas", inputName(contract)),
      },
      example: JSON.stringify(contract.example_input),
    },
    ...clientsParameter(contract),
    ifNoneMatch,
  ],
  responses: {
    200: {
      description: "The result; without `input` the description.",
      headers: withEtag,
      content: {
        "application/json": {
          schema: {
            oneOf: [
              componentRef("schemas", resultName(contract)),
              componentRef("schemas", "ToolDescription"),
            ],
          },
          examples: { result: componentRef("examples", resultName(contract)) },
        },
      },
    },
    ...notModified,
    ...errorResponses(400, 404, 405, 413, 500),
  },
});

/** `?clients=zed,opencode` is not a field of the input. */
const clientsParameter = ({ clients }: Contract) =>
  clients === undefined
    ? []
    : [
        {
          name: "clients",
          in: "query",
          required: false,
          description: "The clients to write for, with commas between them.",
          style: "form",
          explode: false,
          schema: toEmbeddedJsonSchema(clients),
        },
      ];

const postTool = (contract: Contract) => ({
  operationId: `run_${contract.name}`,
  ...openToAll,
  summary: `${contract.title}: run it`,
  description: contract.description,
  parameters: clientsParameter(contract),
  requestBody: {
    required: true,
    description: `The input, at most ${INPUT_LIMIT}.`,
    content: json(inputName(contract)),
  },
  responses: {
    200: {
      description: "The result.",
      headers: cached,
      content: json(resultName(contract)),
    },
    ...errorResponses(400, 404, 405, 413, 415, 500),
  },
});

const getHealth = {
  operationId: "getHealth",
  tags: ["Health"],
  summary: "Check whether the service is up",
  description:
    "Needs no parameters and does not query the database, so it is safe to poll. It accepts only GET and HEAD, so scripts of other sites cannot send their own headers.",
  security: [],
  parameters: [ifNoneMatch],
  responses: {
    200: healthResponse("pass", "The service is up."),
    ...notModified,
    ...errorResponses(405),
    503: healthResponse("fail", "The service is shutting down and finishing open requests."),
  },
};

function healthResponse(status: Health["status"], description: string) {
  const examples = { [status]: { value: { status } satisfies Health } };
  const content = { [HEALTH_MEDIA_TYPE]: { schema: componentRef("schemas", "Health"), examples } };
  return { description, headers: cached, content };
}

const createBetaSignup = {
  operationId: "createBetaSignup",
  tags: ["Signup"],
  summary: "Sign up for the newsletter",
  description: [
    "For the site's own pages; it is not an integration point.",
    "A page sends a challenge token in `turnstileToken`, minted on the site's origin for the action `beta_signup`. A server sends the shared secret instead, as `Authorization: Bearer <SIGNUP_INGEST_SECRET>`, and no token. An `Origin` header must be the site's origin; other sites cannot read the response.",
    "The same e-mail address may be sent again: the response is the same, and it is recorded once.",
  ].join("\n\n"),
  security: [{}, { ingestSecret: [] }],
  requestBody: {
    required: true,
    description: `At most ${kibibytes(MAX_SIGNUP_BYTES)}.`,
    content: json("BetaSignup", {
      server: {
        summary: "From a server, with the shared secret",
        value: {
          email: "grace@example.org",
          name: "Grace Hopper",
          ctaSource: "partner-import",
          referral: "other",
          referralOther: "A talk",
          meta: { utmCampaign: "spring" },
        } satisfies BetaSignup,
      },
    }),
  },
  responses: {
    200: {
      description: "Recorded.",
      content: json("BetaSignupOk", {
        synced: { value: { ok: true, listmonk: true } satisfies BetaSignupOk },
      }),
    },
    ...errorResponses(400, 403, 405, 413, 415, 500),
    429: componentRef("responses", "TooManyRequests"),
  },
};

const components = (signup: boolean) => ({
  schemas: {
    ...Object.fromEntries(
      tools.flatMap((tool) => [
        [inputName(tool), toEmbeddedJsonSchema(tool.input)],
        [resultName(tool), toEmbeddedJsonSchema(tool.output)],
      ]),
    ),
    ToolDescription: toEmbeddedJsonSchema(toolDescriptionSchema()),
    ToolList: {
      type: "object",
      properties: { tools: { type: "array", items: componentRef("schemas", "ToolDescription") } },
      required: ["tools"],
      additionalProperties: false,
    },
    Health: toEmbeddedJsonSchema(HealthSchema),
    ...(signup && {
      BetaSignup: toEmbeddedJsonSchema(BetaSignupSchema),
      BetaSignupOk: toEmbeddedJsonSchema(BetaSignupOkSchema),
      RateLimited: toEmbeddedJsonSchema(RateLimitedBodySchema),
    }),
    Error: toEmbeddedJsonSchema(ErrorBodySchema),
  },
  responses: {
    NotModified: {
      description: "The response has not changed since the ETag that was sent.",
      headers: withEtag,
    },
    BadRequest: errorResponse(
      400,
      "The input was not JSON or failed validation. For a tool, the message names the problems by their paths, in up to 500 characters.",
    ),
    ...(signup && {
      Forbidden: errorResponse(
        403,
        "The Origin header was not the site's origin, or the challenge token was missing, stale or issued elsewhere.",
      ),
    }),
    NotFound: errorResponse(404, "There is no tool of this name."),
    MethodNotAllowed: errorResponse(405, "The path does not allow this method.", {
      Allow: header("The methods that the path allows."),
    }),
    ContentTooLarge: errorResponse(413, "The input was larger than the operation allows."),
    UnsupportedMediaType: errorResponse(415, "The Content-Type was not application/json."),
    ...(signup && {
      TooManyRequests: {
        description:
          "More signups came from one network in a minute than the site allows; the limit is on by default. A server with the shared secret has none.",
        headers: { "Retry-After": header("The seconds to wait.") },
        content: json("RateLimited", {
          rate_limited: { value: { error: { code: "rate_limited", message: "Request rejected" } } },
        }),
      },
    }),
    InternalServerError: errorResponse(500, "The server failed, and recorded nothing.", {
      "X-Request-Id": header("The ID of the failure in the server's log."),
    }),
  },
  parameters: {
    IfNoneMatch: {
      name: "If-None-Match",
      in: "header",
      required: false,
      ...header("The ETag of an earlier response."),
    },
  },
  headers: {
    CacheControl: header(
      "public for responses that are the same for everyone, private for results, no-store for results that may hold secrets.",
    ),
    ETag: header(
      "Identifies this response, for If-None-Match. Results that may hold secrets have none.",
    ),
  },
  examples: Object.fromEntries(
    tools.flatMap((tool) => [
      [inputName(tool), { value: tool.example_input }],
      [resultName(tool), { value: exampleResult(tool) }],
    ]),
  ),
  ...(signup && {
    securitySchemes: {
      ingestSecret: {
        type: "http",
        scheme: "bearer",
        description:
          "SIGNUP_INGEST_SECRET, the secret that the site's operator shares with servers.",
      },
    },
  }),
});

function exampleResult({ name, example_input }: Contract): object {
  const outcome = callTool(name, example_input);
  if (!outcome.ok) throw new Error(`The example of ${name} does not run`);
  return outcome.value;
}

const header = (description: string) => ({ description, schema: { type: "string" } });

function errorResponse(wanted: ErrorStatus, description: string, headers?: object) {
  const examples = Object.entries(ERROR_STATUS)
    .filter(([, status]) => status === wanted)
    .map(([code]) => [code, { value: { error: { code, message: "Request rejected" } } }]);
  const content = json("Error", Object.fromEntries(examples));
  return { description, ...(headers && { headers }), content };
}

function errorResponses(...statuses: readonly ErrorStatus[]) {
  return Object.fromEntries(
    statuses.map((status) => [status, componentRef("responses", ERROR_NAMES[status])]),
  );
}

/** The names of a tool's types in the library. */
const inputName = (contract: Contract): string => `${typeName(contract)}Input`;
const resultName = (contract: Contract): string => `${typeName(contract)}Result`;

const typeName = ({ command }: Contract): string =>
  command.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

function json(name: string, examples: object = { example: componentRef("examples", name) }) {
  return { "application/json": { schema: componentRef("schemas", name), examples } };
}

function componentRef(section: string, name: string) {
  return { $ref: `#/components/${section}/${name}` };
}
