import type { ResultOf, ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import { formatWarnings } from "./findings.ts";
import { InvalidInputError, type Issue, type ToolResult, validate } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import { type CallOptions, runTool, type Tool, withExtendedLimits } from "./tool.ts";

/**
 * Runs a tool by name on an untrusted input. Never throws.
 *
 * @param name such as `mail_filter_generator`.
 * @param input any value; it is validated here.
 * @param options such as `limits`, `priceBook` and `clients`.
 * @returns the result, or the error with its issues.
 *
 * @example
 * const result = callTool("automation_cost_calculator", {
 *   zaps: [{ action_steps: 2, runs_per_month: 400 }],
 * });
 */
export function callTool<Name extends ToolContract["name"]>(
  name: Name,
  input: unknown,
  options?: CallOptions,
): ToolResult<ResultOf<Extract<ToolContract, { name: Name }>>>;
export function callTool(name: string, input: unknown, options?: CallOptions): ToolResult;
export function callTool(name: string, input: unknown, options: CallOptions = {}): ToolResult {
  return toToolResult(() => {
    const tool = requireTool(name);
    const { limits, ...others } = validate(tool.options, options, ["options"]);
    return formatWarnings(
      runTool(limits === "extended" ? withExtendedLimits(tool) : tool, input, others),
    );
  });
}

export function toToolResult<Value extends object>(run: () => Value): ToolResult<Value> {
  try {
    return { ok: true, value: run() };
  } catch (cause) {
    if (cause instanceof InvalidInputError || cause instanceof UnknownToolError) {
      const { code, message, issues } = cause;
      return { ok: false, error: { code, message, issues } };
    }
    const message = "The tool failed on this input, which is a bug in the tool";
    return { ok: false, error: { code: "internal_error", message, issues: [], cause } };
  }
}

/** @param name of any type, because JavaScript callers are not type-checked. */
export function requireTool(name: unknown): Tool<ToolContract> {
  const tool = TOOLS.find(({ contract }) => contract.name === name);
  if (tool) return tool;
  const given =
    typeof name === "string" ? JSON.stringify(name) : `by a value of type ${typeof name}`;
  const names = TOOLS.map(({ contract }) => contract.name).join(", ");
  throw new UnknownToolError(`No tool is named ${given}; the tools are ${names}`);
}

/** All tools, in display order. */
export const TOOLS: readonly Tool<ToolContract>[] = [
  mailFilterTool,
  automationCostTool,
  mcpConfigTool,
];

class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly code = "not_found";
  readonly issues: readonly Issue[] = [];
}
