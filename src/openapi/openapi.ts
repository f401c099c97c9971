import { API_VERSION, tools } from "../../schemas/index.ts";
import { toolPath } from "../describe-tool.ts";
import { components } from "./components.ts";
import type { OpenApiDocument } from "./document.ts";
import { createBetaSignup, getHealth, listTools, toolOperations } from "./operations.ts";

/**
 * The OpenAPI 3.1 description of the HTTP service. The tools come from the contracts, and the
 * example results from running the tools.
 *
 * @param baseUrl the service's own origin, without a trailing slash.
 */
export const openApi = ({ baseUrl }: { readonly baseUrl: string }): OpenApiDocument => ({
  openapi: "3.1.1",
  info: {
    title: "Handtools",
    version: API_VERSION,
    summary: "Free tools over HTTP, a health check and a newsletter signup.",
    description: DESCRIPTION,
    license: { name: "MIT", identifier: "MIT" },
  },
  servers: [{ url: baseUrl }],
  tags: [
    { name: "Tools", description: "Open to any client: no key, no account." },
    { name: "Health", description: "For whoever watches over the service." },
    { name: "Signup", description: "The newsletter form of the site." },
  ],
  paths: {
    "/api/tools": { get: listTools },
    ...Object.fromEntries(tools.map((tool) => [toolPath(tool), toolOperations(tool)])),
    "/api/health": { get: getHealth },
    "/api/beta-signup": { post: createBetaSignup },
  },
  components: components(),
});

const DESCRIPTION = `Free tools for people, programs and AI agents, without a key or an account.

- A tool takes one JSON object and gives one. POST it with \`Content-Type: application/json\`, or GET with \`?input=<URL-encoded JSON>\`. GET without \`input\` describes the tool; \`GET /api/tools\` describes them all.
- The same input always gives the same result. Strings are measured in code points.
- An error is \`{ "error": { "code", "message" } }\`. Branch on \`code\`; \`message\` is for people.
- Where there is GET there is HEAD. Scripts of any site may use the tools and the health check (CORS), but not the signup.
- A path that does not exist gives 404 \`not_found\`.`;
