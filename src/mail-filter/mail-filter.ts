import type { MailFilterInput, MailFilterResult } from "../../schemas/index.ts";
import { runTool } from "../tool.ts";
import { mailFilterTool } from "./tool.ts";

export function mailFilter(input: MailFilterInput): MailFilterResult {
  return runTool(mailFilterTool, input);
}
