import type { TextOptionsOf, ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import { InvalidInputError, type ToolResult } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import { type GivenSettings, type Limits, type Tool, withSettings } from "./tool.ts";

/**
 * Runs a tool by its name on an input from outside. It never throws.
 *
 * @param name a tool identifier, such as `mail_filter_generator`.
 * @param input any value; it is validated here.
 * @param settings replacements for the tool's built-in data, by their names in the contract.
 * @param limits refuse an input whose result would be too large, before it is written.
 *
 * @example
 * const result = callTool("automation_cost_calculator", {
 *   zaps: [{ action_steps: 2, runs_per_month: 400 }],
 * });
 */
export function callTool(
  name: string,
  input: unknown,
  settings: GivenSettings = {},
  limits?: Limits,
): ToolResult {
  const tool = toolsByName.get(name);
  if (!tool) return notFound(name);
  return resultOf(() => withSettings(tool, settings, limits)(input));
}

/**
 * Runs one tool on an input from outside. It never throws.
 *
 * @param text the options of the text to be rendered, for which the result may need more.
 */
export type BoundTool = (input: unknown, text?: TextOptions) => ToolResult;

/** The options of a tool's text. */
export type TextOptions = TextOptionsOf<ToolContract>;

/**
 * `callTool` for many calls of one tool with the same settings, which are validated once.
 *
 * @param limits see callTool.
 *
 * @throws {InvalidInputError} with every issue found in the settings.
 */
export function bindTool(
  { name }: ToolContract,
  settings: GivenSettings,
  limits?: Limits,
): BoundTool {
  const run = withSettings<ToolContract>(table[name], settings, limits);
  return (input, text) => resultOf(() => run(input, text));
}

/** A tool for every contract: a missing or mistyped tool does not compile. */
type ToolTable = { [C in ToolContract as C["name"]]: Tool<C> };

const table: ToolTable = {
  mail_filter_generator: mailFilterTool,
  automation_cost_calculator: automationCostTool,
  mcp_config_generator: mcpConfigTool,
};

const toolsByName: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(table));

function resultOf(run: () => object): ToolResult {
  try {
    return { ok: true, value: run() };
  } catch (cause) {
    if (cause instanceof InvalidInputError) {
      const { code, message, issues } = cause;
      return { ok: false, error: { code, message, issues } };
    }
    const message = "The tool failed on this input, which is a fault of ours";
    return { ok: false, error: { code: "internal_error", message, issues: [], cause } };
  }
}

/** @param name of any type, since callers in JavaScript are not type-checked. */
function notFound(name: unknown): ToolResult {
  const names = [...toolsByName.keys()].join(", ");
  const given =
    typeof name === "string" ? JSON.stringify(name) : `by a value of type ${typeof name}`;
  const message = `No tool is named ${given}; there are ${names}`;
  return { ok: false, error: { code: "not_found", message, issues: [] } };
}
