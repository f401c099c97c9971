/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { formatNumber } from "../../../src/text.ts";
import { runTool, withExtendedLimits } from "../../../src/tool.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { automationCostPage } from "./automation-cost-page.tsx";

const tool = withExtendedLimits(automationCostTool);

// A number that was left gets its commas.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.inputMode !== "decimal") return;
  if (/^\d{4,}$/.test(target.value)) target.value = formatNumber(Number(target.value));
});

hydrateToolPage({
  ...automationCostPage,
  run: (input, options) => ({ result: runTool(tool, input, options) }),
  loadReader: async () => ({ readText: (await import("./parse-pasted-zaps.ts")).parsePastedZaps }),
});
