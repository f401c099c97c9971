export { automationCost } from "./automation-cost.ts";
