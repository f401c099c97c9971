import type { ValidAutomationCostInput } from "../../schemas/automation-cost.ts";
import type { Warning } from "../../schemas/common.ts";
import type { PriceBook } from "../../schemas/price-book.ts";
import { Findings } from "../issues.ts";

/** An automation that never runs costs nothing, yet it may be the reason why Free is not offered. */
export function warnings(
  { zaps, team }: ValidAutomationCostInput,
  monthlyTasks: number,
  { free }: PriceBook,
): Warning[] {
  const findings = new Findings();
  if (team || monthlyTasks > free.tasks) return findings.warnings;
  for (const [index, { runs_per_month, action_steps }] of zaps.entries()) {
    if (runs_per_month > 0 || action_steps <= free.action_steps) continue;
    findings.info(
      "idle-zap-rules-out-free",
      ["zaps", index],
      `never runs, but its ${action_steps} action steps rule the Free plan out; leave it out if it is switched off`,
    );
  }
  return findings.warnings;
}
