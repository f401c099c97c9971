import type { AutomationCostResult, ValidAutomationCostInput } from "../../schemas/index.ts";
import { expectOracle } from "../automation-cost/expect-oracle.ts";

/** The tool answers as the oracle does, which shares no line with it. */
export function expectAutomationCostPromises(
  _: AutomationCostResult,
  input: ValidAutomationCostInput,
): void {
  const { zaps, billing, team } = input;
  const tasks = zaps.reduce((sum, zap) => sum + zap.action_steps * zap.runs_per_month, 0);
  const singleSteps = zaps.every(({ action_steps }) => action_steps === 1);
  expectOracle(input, { tasks, billing, team, singleSteps });
}
