/** @jsxImportSource preact */
import { automationCostTool } from "../../../src/automation-cost/automation-cost.ts";
import { live } from "../form/live.ts";
import { automationCostPage } from "./automation-cost.tsx";
import { readZapText } from "./read-zaps.ts";

live(automationCostPage, automationCostTool, { read: readZapText });
