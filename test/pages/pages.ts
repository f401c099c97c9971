import { tools } from "../../schemas/index.ts";
import { DOCS_PATH, HOME_PATH, TOOLS_PATH, toolPagePath } from "../../server/links.ts";

/** Where the pages of the tools are. */
export const MAIL = "/tools/mail-filter-generator";
export const COST = "/tools/automation-cost-calculator";
export const MCP = "/tools/mcp-config-generator";

/** All pages there are. */
export const PAGES = [HOME_PATH, TOOLS_PATH, ...tools.map(toolPagePath), DOCS_PATH];

/** Another that there is not. Browsers write its status into their console. */
export const NO_PAGE = "/tools/nothing";
export const NOT_FOUND = /status of 404/;
