import type { ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import { InvalidInputError, type ToolResult } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import { runTool, type Tool } from "./tool.ts";

type ToolTable = { [C in ToolContract as C["name"]]: Tool<C> };

/** A missing or mistyped tool does not compile. */
const table: ToolTable = {
  mail_filter_generator: mailFilterTool,
  automation_cost_calculator: automationCostTool,
  mcp_config_generator: mcpConfigTool,
};

/** Every tool by its name. */
const registry: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(table));

/**
 * Runs a tool by its name on an input from outside. It never throws.
 *
 * @param name a tool identifier, such as `mail_filter_generator`.
 * @param input anything; it is validated here and nowhere else.
 * @param settings replacements for the tool's built-in data, by the names in its contract.
 *
 * @example
 * const result = callTool("automation_cost_calculator", {
 *   zaps: [{ action_steps: 2, runs_per_month: 400 }],
 * });
 */
export function callTool(
  name: string,
  input: unknown,
  settings: Readonly<Record<string, unknown>> = {},
): ToolResult {
  try {
    const tool = registry.get(name);
    if (!tool) {
      const message = `No tool is named ${JSON.stringify(String(name))}; there are ${[...registry.keys()].join(", ")}`;
      return { ok: false, error: { code: "not_found", message, issues: [] } };
    }
    return { ok: true, value: runTool(tool, input, settings) };
  } catch (cause) {
    if (cause instanceof InvalidInputError) {
      const { code, message, issues } = cause;
      return { ok: false, error: { code, message, issues } };
    }
    const message = "The tool failed on this input, which is a fault of ours";
    return { ok: false, error: { code: "internal_error", message, issues: [], cause } };
  }
}
