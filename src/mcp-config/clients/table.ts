import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import type { ClientRow } from "./client.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { vscode } from "./vscode.ts";

/** The clients in the order of the result. */
export const clientTable: readonly ClientRow[] = [claudeDesktop, claudeCode, cursor, vscode, codex];
