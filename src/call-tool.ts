import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { Contract, ResultOf, ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import { InvalidInputError, issueAt, type ToolResult } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import { outcomeOf, type RunOptions, runTool, type Tool } from "./tool.ts";
import { validate } from "./validate.ts";

/** A replacement for a tool's built-in data, by its name in the contract. */
export type GivenSettings = Readonly<Record<string, unknown>>;

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

/** A copy of the tool's setting, if it is given. */
function validSetting({ setting }: Contract, given: GivenSettings): unknown {
  validate(v.looseObject({}, "must be an object"), given, ["settings"]);
  const unknown = Object.keys(given).filter((name) => name !== setting?.name);
  if (unknown.length > 0) {
    throw new InvalidInputError(
      unknown.map((name) => issueAt([name], "is not a setting of this tool")),
    );
  }
  if (!setting || given[setting.name] === undefined) return undefined;
  return validate(setting.schema, given[setting.name], [setting.name]);
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
