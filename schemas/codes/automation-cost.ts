import { explained } from "./explanation.ts";

/** The codes of warnings about the costs of automations. */
export const automationCostCodes = {
  "idle-zap-rules-out-free": explained(
    "An automation that never runs has too many steps for Free.",
    "Zapier's Free plan takes automations of few steps only, whether they run or not, so the plans begin with a paid one.",
    "Leave the automation out if it is switched off.",
  ),
};
