import { mcpConfigContract } from "../../schemas/index.ts";
import type { Tool } from "../tool.ts";

export const mcpConfigTool: Tool<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  run() {
    throw new Error("not built yet");
  },
  render() {
    throw new Error("not built yet");
  },
};
