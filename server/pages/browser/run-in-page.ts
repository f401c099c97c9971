import { MAX_RESULT_BYTES, MAX_TOOL_INPUT_BYTES } from "../../../schemas/http.ts";
import { formatWarnings } from "../../../src/findings.ts";
import { parseJson } from "../../../src/parse-json.ts";
import { hasMoreBytes } from "../../../src/text.ts";
import { runTool, type Tool } from "../../../src/tool.ts";
import { HttpError, inputTooLarge } from "../../http/http-error.ts";
import { readRunOptions } from "./run-options.ts";

/** Loads the code of each tool at its first call. */
const LOADERS: Readonly<Record<string, () => Promise<Tool>>> = {
  mail_filter_generator: async () =>
    (await import("../../../src/mail-filter/mail-filter.ts")).mailFilterTool,
  automation_cost_calculator: async () =>
    (await import("../../../src/automation-cost/automation-cost.ts")).automationCostTool,
  mcp_config_generator: async () =>
    (await import("../../../src/mcp-config/mcp-config.ts")).mcpConfigTool,
};

/**
 * Runs a tool in the page.
 *
 * @returns the API's response to a POST of the input, errors included.
 */
export async function runInPage(name: string, input: unknown): Promise<object> {
  const tool = await LOADERS[name]?.();
  try {
    if (!tool) throw new HttpError("not_found");
    const json = toJson(input);
    if (hasMoreBytes(json, MAX_TOOL_INPUT_BYTES)) throw inputTooLarge(MAX_TOOL_INPUT_BYTES);
    const options = { resultBytes: MAX_RESULT_BYTES, ...readRunOptions() };
    return formatWarnings(runTool(tool, parseJson(json), options));
  } catch (error) {
    const problem = HttpError.of(error);
    if (problem.code === "internal_error") reportError(error);
    return problem.body;
  }
}

/** Empty, and so rejected, for a value that JSON cannot hold. Agents may pass any value. */
function toJson(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}
