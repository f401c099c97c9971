import * as v from "valibot";
import { closedObject } from "../../schemas/common.ts";
import {
  API_VERSION,
  type BetaSignup,
  type BetaSignupOk,
  type Contract,
  HEALTH_MEDIA_TYPE,
  type Health,
  MAX_SIGNUP_BYTES,
  MAX_TOOL_INPUT_BYTES,
  tools,
} from "../../schemas/index.ts";
import { toolPath } from "../describe-tool.ts";
import { fileSchemas } from "../file-schemas.ts";
import { bareSchema } from "../json-schema.ts";
import { kibibytes } from "../text.ts";
import { parseOrigin } from "../url.ts";
import { validate } from "../validate.ts";
import {
  components,
  errors,
  exampledJson,
  inputName,
  json,
  reference,
  resultName,
} from "./components.ts";
import type {
  Example,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
  Responses,
} from "./document.ts";

/**
 * The OpenAPI 3.1 description of the HTTP service. The tools come from the contracts, and the
 * example results from running the tools.
 *
 * @throws {InvalidInputError} for options that break their schema.
 */
export function openApi(options: OpenApiOptions): OpenApiDocument {
  const { baseUrl, signup = true } = validate(OptionsSchema, options, ["options"]);
  return {
    openapi: "3.1.1",
    info: {
      title: "Handtools",
      version: API_VERSION,
      summary: signup
        ? "Free tools over HTTP, a health check and a newsletter signup."
        : "Free tools over HTTP and a health check.",
      description: describeService(signup),
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
        tools.map((tool) => [toolPath(tool), { get: getTool(tool), post: runTool(tool) }]),
      ),
      "/api/health": { get: getHealth },
      ...(signup && { "/api/beta-signup": { post: createBetaSignup } }),
    },
    components: components(signup),
  };
}

const OptionsSchema = closedObject({
  baseUrl: v.pipe(
    v.string(),
    v.check(
      (text) => parseOrigin(text) === text,
      "must be an origin without a slash at its end, such as https://tools.example.com",
    ),
  ),
  signup: v.optional(v.boolean()),
});

/** The properties of the service that the document describes. */
export interface OpenApiOptions {
  /** The service's own origin, without a trailing slash. */
  readonly baseUrl: string;
  /** False for a service without the newsletter signup. */
  readonly signup?: boolean;
}

const describeService = (
  signup: boolean,
): string => `Free tools for people, programs and AI agents, without a key or an account.

- A tool reads one JSON object and returns one. POST it with \`Content-Type: application/json\`, or GET with \`?input=<URL-encoded JSON>\`. GET without \`input\` describes the tool; \`GET /api/tools\` describes them all.
- The same input always gives the same result. Strings are measured in code points.
- An error is \`{ "error": { "code", "message" } }\`. Branch on \`code\`; \`message\` is for people.
- Where there is GET there is HEAD. Scripts of any site may use the tools, with headers of their own (CORS)${signup ? ", but not the signup" : ""}.
- Editors complete and explain files for the command line by the JSON Schemas at ${fileSchemas.map(({ name }) => `\`/schemas/${name}.json\``).join(", ")}.
- A path that does not exist gives 404 \`not_found\`.`;

const LIMIT = kibibytes(MAX_TOOL_INPUT_BYTES);

/** The tools need no key. */
const openToAll = { tags: ["Tools"], security: [] };

const cached = { "Cache-Control": reference("headers", "CacheControl") };
const withEtag = { ETag: reference("headers", "ETag"), ...cached };
const ifNoneMatch = reference("parameters", "IfNoneMatch");
const notModified: Responses = { 304: reference("responses", "NotModified") };

const listTools: Operation = {
  operationId: "listTools",
  ...openToAll,
  summary: "List the tools",
  description: "Every tool with its description, its input schema and a request that runs.",
  parameters: [ifNoneMatch],
  responses: {
    200: {
      description: "The tools.",
      headers: withEtag,
      content: { "application/json": { schema: reference("schemas", "ToolList") } },
    },
    ...notModified,
    ...errors(405, 500),
  },
};

const getTool = (contract: Contract): Operation => ({
  operationId: `get_${contract.name}`,
  ...openToAll,
  summary: `${contract.title}: describe it, or run it by GET`,
  description: `${contract.description}

Without \`input\` it answers with its description, the schema of its input and an example; with \`input\`, as POST does.${contract.sensitive ? "\n\nSend an input that holds secrets by POST: histories and logs keep URLs." : ""}`,
  parameters: [
    {
      name: "input",
      in: "query",
      required: false,
      description: `The input as JSON, URL-encoded: once, and at most ${LIMIT} of UTF-8 when decoded.`,
      content: exampledJson(inputName(contract)),
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

/** The clients of a result, `?clients=zed,opencode`, which are not a field of the input. */
const clientsParameter = ({ clients }: Contract): readonly Parameter[] =>
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
          schema: bareSchema(clients),
        },
      ];

const runTool = (contract: Contract): Operation => ({
  operationId: `run_${contract.name}`,
  ...openToAll,
  summary: `${contract.title}: run it`,
  description: contract.description,
  ...(contract.clients && { parameters: clientsParameter(contract) }),
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

const healthResponse = (status: Health["status"], description: string): Response => ({
  description,
  headers: cached,
  content: {
    [HEALTH_MEDIA_TYPE]: {
      schema: reference("schemas", "Health"),
      examples: { [status]: { value: { status } satisfies Health } },
    },
  },
});

const getHealth: Operation = {
  operationId: "getHealth",
  tags: ["Health"],
  summary: "Check whether the service is up",
  description:
    "Takes no parameters and reads no storage, so it is safe to poll. It answers GET and HEAD alone: a script of another site sends no headers of its own.",
  security: [],
  parameters: [ifNoneMatch],
  responses: {
    200: healthResponse("pass", "The service is up."),
    ...notModified,
    ...errors(405),
    503: healthResponse("fail", "The service is stopping: it finishes what it has begun."),
  },
};

const signupRequests = {
  page: {
    summary: "From a page of the site",
    value: {
      email: "ada@example.org",
      name: "Ada Lovelace",
      ctaSource: "hero",
      referral: "hackernews",
      turnstileToken: "token-of-the-challenge",
    } satisfies BetaSignup,
  },
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
};

const signupResult = (summary: string, listmonk: boolean): Example => ({
  summary,
  value: { ok: true, listmonk } satisfies BetaSignupOk,
});

const signupResponses = {
  synced: signupResult("Recorded, and the newsletter has it", true),
  notSynced: signupResult("Recorded; the newsletter failed", false),
};

const createBetaSignup: Operation = {
  operationId: "createBetaSignup",
  tags: ["Signup"],
  summary: "Sign up for the newsletter",
  description: [
    "For the site's own pages; it is not an integration point.",
    "A page sends a challenge token in `turnstileToken`, minted on the site's origin for the action `beta_signup`. A server sends the shared secret instead, as `Authorization: Bearer <SIGNUP_INGEST_SECRET>`, and no token. Whoever sends an `Origin` header must send the site's own; no other site may read the answer.",
    "The same address may be sent again: the answer is the same, and it is recorded once.",
  ].join("\n\n"),
  security: [{}, { ingestSecret: [] }],
  requestBody: {
    required: true,
    description: `At most ${kibibytes(MAX_SIGNUP_BYTES)}.`,
    content: json("BetaSignup", signupRequests),
  },
  responses: {
    200: { description: "Recorded.", content: json("BetaSignupOk", signupResponses) },
    ...errors(400, 403, 405, 413, 415, 500),
  },
};
