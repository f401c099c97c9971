/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { hydrateToolPage } from "../form/hydrate.ts";
import { runLocally } from "../form/run-tool.ts";
import { automationCostPage } from "./automation-cost-page.tsx";
import { parsePastedZaps } from "./parse-pasted-zaps.ts";

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

hydrateToolPage({
  ...automationCostPage,
  ...runLocally(automationCostTool),
  readText: parsePastedZaps,
});
