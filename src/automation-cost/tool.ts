import { automationCostContract } from "../../schemas/index.ts";
import type { Tool } from "../tool.ts";

export const automationCostTool: Tool<typeof automationCostContract> = {
  contract: automationCostContract,
  run() {
    throw new Error("not built yet");
  },
  render() {
    throw new Error("not built yet");
  },
};
