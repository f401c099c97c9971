import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import type { Tool } from "../tool.ts";
import { generate } from "./generate.ts";

export const mcpConfigTool: Tool<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  run: (input) => generate(input),
};
