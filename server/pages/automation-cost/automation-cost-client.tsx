/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { browserHost } from "../form/browser-host.ts";
import { live } from "../form/live.ts";
import { automationCostPage } from "./automation-cost.tsx";
import { readZapText } from "./read-zaps.ts";

const form = document.querySelector<HTMLFormElement>("#tool-form");
if (form)
  live(form, automationCostPage, browserHost(automationCostTool, form), { read: readZapText });
