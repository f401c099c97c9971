import { join } from "node:path";
import { ALL_CLIENTS } from "../../../schemas/index.ts";
import { PACKAGES } from "./programs.ts";

/** The result of the last run, from which a table of docs/mcp.md is made. */
export const TRIED_CLIENTS = join(import.meta.dir, "tried-clients.json");

/** A client whose program was run. */
interface TriedClient {
  readonly client: string;
  readonly version: string;
  /** It listed, or started, the servers of a generated config. */
  readonly listed: boolean;
  /** Its model called a tool of a server that was installed. */
  readonly called: boolean;
}

const PROGRAMS: Readonly<Record<string, string>> = {
  "claude-code": "@anthropic-ai/claude-code",
  codex: "@openai/codex",
  "copilot-cli": "@github/copilot",
  opencode: "opencode-ai",
  "gemini-cli": "@google/gemini-cli",
  "qwen-code": "@qwen-code/qwen-code",
};

/** @param shown what the checks show, such as "codex listed". */
export const triedClients = (shown: ReadonlySet<string>): TriedClient[] =>
  ALL_CLIENTS.flatMap((client) => {
    const program = PROGRAMS[client];
    const version = PACKAGES.find((name) => name.startsWith(`${program}@`))
      ?.split("@")
      .at(-1);
    const listed = shown.has(`${client} listed`);
    const called = shown.has(`${client} called`);
    return version !== undefined ? [{ client, version, listed, called }] : [];
  });
