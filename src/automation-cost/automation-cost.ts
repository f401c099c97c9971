import type { AutomationCostInput, AutomationCostResult } from "../../schemas/index.ts";
import { runTool } from "../tool.ts";
import { automationCostTool } from "./tool.ts";

export function automationCost(input: AutomationCostInput): AutomationCostResult {
  return runTool(automationCostTool, input);
}
