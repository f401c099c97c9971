/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { formatNumber } from "../../../src/text.ts";
import { runTool, withExtendedLimits } from "../../../src/tool.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { automationCostPage } from "./automation-cost-page.tsx";

const tool = withExtendedLimits(automationCostTool);

// Not on a touch screen, where the keyboard would cover the page.
if (matchMedia("(pointer: fine)").matches && location.hash === "")
  document.getElementById("zaps[0].name")?.focus({ preventScroll: true });

// The arrows change rows, as in a spreadsheet.
document.addEventListener("keydown", ({ target, key }) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[key];
  if (step === undefined || !(target instanceof HTMLInputElement)) return;
  const column = /^zaps\[\d+\]\.(\w+)$/.exec(target.name)?.[1];
  const cells = [...document.querySelectorAll<HTMLElement>(`.sheet td.${column} > input`)];
  cells[cells.indexOf(target) + step]?.focus();
});

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
