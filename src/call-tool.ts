import { registry } from "./registry.ts";
import { InvalidInputError, type ToolResult } from "./result.ts";
import { runTool } from "./tool.ts";

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
