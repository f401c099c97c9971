import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { SystemError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Ended } from "../run-program.ts";
import type { ClientEdit } from "./apply-edits.ts";
import type { Scope } from "./targets.ts";

/**
 * Changes a file by the client's own program, because the client keeps its state there and writes
 * the file at any time.
 *
 * @returns undefined for a file that other programs may write.
 */
export function ownProgram(
  { client, snippet }: ClientConfig,
  scope: Scope,
  name: string,
  io: Io,
): ClientEdit["run"] {
  if (client !== "claude-code" || scope !== "user") return undefined;
  const claude = async (...words: readonly string[]) => {
    const { code, output } = await runClaude(["mcp", ...words], io);
    if (code === 0) return;
    const [line = ""] = output.trim().split("\n");
    throw new SystemError([`claude mcp ${words[0]}: ended with code ${code}: ${line}`]);
  };
  const add = (text: string) =>
    claude("add-json", "--scope", "user", name, JSON.stringify(entryOf(text, name)));
  return async (change, text) => {
    if (change !== "added") await claude("remove", "--scope", "user", name);
    if (change === "removed") return;
    try {
      await add(snippet);
    } catch (error) {
      // Claude Code replaces nothing, and the old server must not be lost to a refusal.
      if (change === "replaced") await add(text);
      throw error;
    }
  };
}

async function runClaude(words: readonly string[], io: Io): Promise<Ended> {
  try {
    return await io.runProgram("claude", words);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const advice =
      "Claude Code's own file is changed by its program alone: install it, or give --scope project";
    throw new SystemError([...error.problems, advice]);
  }
}

/** The server's entry in a file of Claude Code's. */
const entryOf = (text: string, name: string): unknown =>
  JSON.parse(text.replace(/^\ufeff/, "")).mcpServers[name];
