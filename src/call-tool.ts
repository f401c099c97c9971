import * as v from "valibot";
import { closedObject } from "../schemas/common.ts";
import type { Contract, ResultOf, ToolContract } from "../schemas/index.ts";
import { automationCostTool } from "./automation-cost/automation-cost.ts";
import { InvalidInputError, type Issue, issueAt, type ToolResult } from "./issues.ts";
import { mailFilterTool } from "./mail-filter/mail-filter.ts";
import { mcpConfigTool } from "./mcp-config/mcp-config.ts";
import { type RunOptions, runTool, type Tool } from "./tool.ts";
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
  return toToolResult(() => {
    const tool = toolNamed(name);
    validate(OptionsSchema, options, ["options"]);
    const setting = validSetting(tool.contract, settings);
    return runTool(tool, input, setting === undefined ? options : { ...options, setting });
  });
}

/** The outcome of a run as a value, whatever the run throws. */
export function toToolResult(run: () => object): ToolResult {
  try {
    return { ok: true, value: run() };
  } catch (cause) {
    if (cause instanceof InvalidInputError || cause instanceof UnknownToolError) {
      const { code, message, issues } = cause;
      return { ok: false, error: { code, message, issues } };
    }
    const message = "The tool failed on this input, which is a bug in it";
    return { ok: false, error: { code: "internal_error", message, issues: [], cause } };
  }
}

/**
 * @param name of any type, since callers in JavaScript are not type-checked.
 * @throws {UnknownToolError}
 */
export function toolNamed(name: unknown): Tool {
  const tool = TOOLS.find(({ contract }) => contract.name === name);
  if (tool) return tool;
  const given =
    typeof name === "string" ? JSON.stringify(name) : `by a value of type ${typeof name}`;
  const names = TOOLS.map(({ contract }) => contract.name).join(", ");
  throw new UnknownToolError(`No tool is named ${given}; there are ${names}`);
}

const TOOLS: readonly Tool[] = [mailFilterTool, automationCostTool, mcpConfigTool];

class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly code = "not_found";
  readonly issues: readonly Issue[] = [];
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
