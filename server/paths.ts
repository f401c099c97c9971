import { HEALTH_MEDIA_TYPE } from "../schemas/http.ts";
import type { Contract } from "../schemas/index.ts";

export const CATALOG_PATH = "/.well-known/api-catalog";
export const OPENAPI_PATH = "/openapi.json";
export const DOCS_PATH = "/docs";
export const HEALTH_PATH = "/api/health";
export const LLMS_PATH = "/llms.txt";
export const MCP_PATH = "/mcp";
export const HOME_PATH = "/";
export const TOOLS_PATH = "/tools";

export const toolPagePath = ({ segment }: Contract): string => `${TOOLS_PATH}/${segment}`;

export const toolDocsPath = ({ segment }: Contract): string => `${DOCS_PATH}/${segment}`;

export const SERVICE_DOCS_PATH = `${DOCS_PATH}/service`;

/** RFC 8288 */
export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
}

/** Let clients and agents find the API from any page. */
export const discoveryLinks = (baseUrl: string): readonly Link[] => [
  { rel: "api-catalog", href: `${baseUrl}${CATALOG_PATH}`, type: "application/linkset+json" },
  { rel: "service-desc", href: `${baseUrl}${OPENAPI_PATH}`, type: "application/json" },
  { rel: "service-doc", href: `${baseUrl}${DOCS_PATH}`, type: "text/html" },
  { rel: "status", href: `${baseUrl}${HEALTH_PATH}`, type: HEALTH_MEDIA_TYPE },
  { rel: "describedby", href: `${baseUrl}${LLMS_PATH}`, type: "text/plain" },
];

export const toLinkHeader = (links: readonly Link[]): string =>
  links.map(({ rel, href, type }) => `<${href}>; rel="${rel}"; type="${type}"`).join(", ");
