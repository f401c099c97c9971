import type { Contract, ToolContract } from "../../../schemas/index.ts";
import type { Html } from "../html.ts";
import { aboutAutomationCost } from "./about/automation-cost.ts";
import { aboutMailFilter } from "./about/mail-filter.ts";
import { aboutMcpConfig } from "./about/mcp-config.ts";

type AboutTable = { readonly [C in ToolContract as C["name"]]: () => Html };

/** A missing text does not compile. */
const table: AboutTable = {
  mail_filter_generator: aboutMailFilter,
  automation_cost_calculator: aboutAutomationCost,
  mcp_config_generator: aboutMcpConfig,
};

const abouts: ReadonlyMap<string, () => Html> = new Map(Object.entries(table));

/** The background of a tool's page. The page's script does not load it. */
export function aboutOf({ name }: Contract): Html {
  const about = abouts.get(name);
  if (!about) throw new Error(`No background is written for ${name}`);
  return about();
}
