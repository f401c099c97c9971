/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { runLocally } from "../form/run-tool.ts";
import { automationCostPage } from "./automation-cost-page.tsx";
import { parsePastedZaps } from "./parse-pasted-zaps.ts";

hydrateToolPage({
  ...automationCostPage,
  ...runLocally(automationCostTool),
  readText: parsePastedZaps,
});
