import { API_VERSION, tools } from "../../schemas/index.ts";
import { toolPath } from "../describe-tool.ts";
import { components } from "./components.ts";
import type { OpenApiDocument } from "./document.ts";
import { createBetaSignup, getHealth, listTools, toolOperations } from "./operations.ts";

/**
 * The OpenAPI 3.1 description of the HTTP service. The tools come from the contracts, and the
 * example results from running the tools.
 */
export const openApi = ({ baseUrl, signup = true }: OpenApiOptions): OpenApiDocument => ({
  openapi: "3.1.1",
  info: {
    title: "Handtools",
    version: API_VERSION,
    summary: signup
      ? "Free tools over HTTP, a health check and a newsletter signup."
      : "Free tools over HTTP and a health check.",
    description: descriptionOf(signup),
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: baseUrl }],
  tags: [
    { name: "Tools", description: "Open to any client: no key, no account." },
    { name: "Health", description: "For whoever watches over the service." },
    ...(signup ? [{ name: "Signup", description: "The newsletter form of the site." }] : []),
  ],
  paths: {
    "/api/tools": { get: listTools },
    ...Object.fromEntries(tools.map((tool) => [toolPath(tool), toolOperations(tool)])),
    "/api/health": { get: getHealth },
    ...(signup && { "/api/beta-signup": { post: createBetaSignup } }),
  },
  components: components(signup),
});

/** What the document says of one service. */
export interface OpenApiOptions {
  /** The service's own origin, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the service has the newsletter signup. */
  readonly signup?: boolean;
}

const descriptionOf = (
  signup: boolean,
): string => `Free tools for people, programs and AI agents, without a key or an account.

- A tool takes one JSON object and gives one. POST it with \`Content-Type: application/json\`, or GET with \`?input=<URL-encoded JSON>\`. GET without \`input\` describes the tool; \`GET /api/tools\` describes them all.
- The same input always gives the same result. Strings are measured in code points.
- An error is \`{ "error": { "code", "message" } }\`. Branch on \`code\`; \`message\` is for people.
- Where there is GET there is HEAD. Scripts of any site may use the tools and the health check (CORS)${signup ? ", but not the signup" : ""}.
- A path that does not exist gives 404 \`not_found\`.`;
