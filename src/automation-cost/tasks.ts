import type {
  AutomationCostResult,
  ValidAutomationCostInput,
} from "../../schemas/automation-cost.ts";
import { printable } from "./printable.ts";

type Zap = ValidAutomationCostInput["zaps"][number];
export type Automation = AutomationCostResult["automations"][number];

/** The tasks of each automation in a month: every action step of every run is one. */
export const countTasks = (zaps: readonly Zap[]): Automation[] =>
  zaps.map(({ name, action_steps, runs_per_month }, index) => ({
    name: name && printable(name) ? name : `Automation ${index + 1}`,
    action_steps,
    runs_per_month,
    monthly_tasks: action_steps * runs_per_month,
  }));
