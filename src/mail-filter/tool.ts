import { mailFilterContract } from "../../schemas/index.ts";
import type { Tool } from "../tool.ts";

export const mailFilterTool: Tool<typeof mailFilterContract> = {
  contract: mailFilterContract,
  run() {
    throw new Error("not built yet");
  },
  render() {
    throw new Error("not built yet");
  },
};
