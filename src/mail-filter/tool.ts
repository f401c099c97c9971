import { mailFilterContract } from "../../schemas/mail-filter.ts";
import type { Tool } from "../tool.ts";
import { generate } from "./generate.ts";

export const mailFilterTool: Tool<typeof mailFilterContract> = {
  contract: mailFilterContract,
  run: generate,
};
