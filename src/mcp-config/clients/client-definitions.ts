import type { Client } from "../../../schemas/mcp-config.ts";
import type { ClientDefinition } from "../client.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { junie } from "./junie.ts";
import { kiro } from "./kiro.ts";
import { lmStudio } from "./lm-studio.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { rooCode } from "./roo-code.ts";
import { vscode } from "./vscode.ts";
import { zed } from "./zed.ts";

/** A missing client does not compile. */
export const clientDefinitions: Readonly<Record<Client, ClientDefinition>> = {
  "claude-desktop": claudeDesktop,
  "claude-code": claudeCode,
  cursor,
  vscode,
  codex,
  "copilot-cli": copilotCli,
  opencode,
  "gemini-cli": geminiCli,
  zed,
  "lm-studio": lmStudio,
  kiro,
  "qwen-code": qwenCode,
  junie,
  "roo-code": rooCode,
};
