import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { ResultOf, ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import type { ToolResult } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import {
  type GivenSettings,
  outcomeOf,
  type RunOptions,
  runTool,
  type Tool,
  validSetting,
} from "./tool.ts";
import { validate } from "./validate.ts";

/**
 * Runs a tool by its name on an input from outside. It never throws.
 *
 * @param name a tool identifier, such as `mail_filter_generator`.
 * @param input any value; it is validated here.
 * @param settings a replacement for the tool's built-in data, by its name in the contract.
 * @param options `resultBytes` rejects an input whose result would be larger, before it is written.
 *
 * @example
 * const result = callTool("automation_cost_calculator", {
 *   zaps: [{ action_steps: 2, runs_per_month: 400 }],
 * });
 */
export function callTool<Name extends ToolContract["name"]>(
  name: Name,
  input: unknown,
  settings?: GivenSettings,
  options?: RunOptions,
): ToolResult<ResultOf<Extract<ToolContract, { name: Name }>>>;
export function callTool(
  name: string,
  input: unknown,
  settings?: GivenSettings,
  options?: RunOptions,
): ToolResult;
export function callTool(
  name: string,
  input: unknown,
  settings: GivenSettings = {},
  options: RunOptions = {},
): ToolResult {
  const tool = toolsByName.get(name);
  if (!tool) return notFound(name);
  return outcomeOf(() => {
    validate(OptionsSchema, options, ["options"]);
    const setting = validSetting(tool.contract, settings);
    return runTool(tool, input, setting === undefined ? options : { ...options, setting });
  });
}

const OptionsSchema = closedObject({
  resultBytes: v.optional(v.pipe(v.number(), v.minValue(1))),
  text: v.optional(v.looseObject({}, "must be an object")),
  setting: v.optional(v.unknown()),
});

/** A tool for every contract: a missing or mistyped tool does not compile. */
type ToolTable = { [C in ToolContract as C["name"]]: Tool<C> };

const toolTable: ToolTable = {
  mail_filter_generator: mailFilterTool,
  automation_cost_calculator: automationCostTool,
  mcp_config_generator: mcpConfigTool,
};

const toolsByName: ReadonlyMap<string, Tool> = new Map(Object.entries<Tool>(toolTable));

/** @param name of any type, since callers in JavaScript are not type-checked. */
function notFound(name: unknown): ToolResult {
  const names = [...toolsByName.keys()].join(", ");
  const given =
    typeof name === "string" ? JSON.stringify(name) : `by a value of type ${typeof name}`;
  const message = `No tool is named ${given}; there are ${names}`;
  return { ok: false, error: { code: "not_found", message, issues: [] } };
}
