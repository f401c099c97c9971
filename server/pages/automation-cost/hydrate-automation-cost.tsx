/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { runTool, withExtendedLimits } from "../../../src/tool.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { automationCostPage } from "./automation-cost-page.tsx";

const tool = withExtendedLimits(automationCostTool);

hydrateToolPage({
  ...automationCostPage,
  run: (input, options) => ({ result: runTool(tool, input, options) }),
  loadReader: async () => ({ readText: (await import("./parse-pasted-zaps.ts")).parsePastedZaps }),
});
