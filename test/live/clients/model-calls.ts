import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Client, mcpConfigContract } from "../../../schemas/index.ts";
import { libraryResult } from "../../server/support/http.ts";
import { type Check, expectSame } from "../runner.ts";
import type { Workspace } from "./cases.ts";
import { type Model, startModel } from "./model.ts";
import { outputOf } from "./programs.ts";

const main = join(import.meta.dir, "../../../cli/main.ts");

const TOOL = mcpConfigContract.name;
const ARGUMENTS = { name: "files", command: "npx", args: ["-y", `it's "q" \\ é`] };

interface Program {
  readonly client: Client;
  /** The command line that asks the model one thing and ends. */
  words(model: Model): readonly string[];
  environment(model: Model): Readonly<Record<string, string>>;
  /** Files that must be there before, by their paths in the home. */
  files?(model: Model, project: string): Readonly<Record<string, object>>;
}

// Claude Code and Codex ask their model before a server that starts slowly is there, unless told to
// wait, as both are here.
const PROGRAMS: readonly Program[] = [
  {
    client: "claude-code",
    words: () => ["claude", "-p", "go", "--allowedTools", `mcp__handtools__${TOOL}`],
    environment: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      ENABLE_TOOL_SEARCH: "false",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      MCP_CONNECTION_NONBLOCKING: "false",
    }),
  },
  {
    // Its sandbox only reads, in which a tool runs that says that it changes nothing.
    client: "codex",
    words: ({ url }) => [
      ...["codex", "exec", "--skip-git-repo-check", "--model", "m", "-c", "model_provider=x", "-c"],
      `model_providers.x={ name = "x", base_url = "${url}/v1", wire_api = "responses" }`,
      ...["-c", "mcp_servers.handtools.required=true", "go"],
    ],
    environment: () => ({}),
  },
  {
    client: "opencode",
    words: () => ["opencode", "run", "--model", "x/m", "go"],
    environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }),
    files: ({ url }) => {
      const options = { baseURL: `${url}/v1`, apiKey: "none" };
      const x = { npm: "@ai-sdk/openai-compatible", options, models: { m: {} } };
      return { ".config/opencode/opencode.json": { provider: { x }, small_model: "x/m" } };
    },
  },
  {
    client: "gemini-cli",
    words: () => ["gemini", "--model", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "go"],
    environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "none" }),
    files: (_, project) => ({
      ".gemini/settings.json": {
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
      ".gemini/trustedFolders.json": { [project]: "TRUST_FOLDER" },
    }),
  },
  {
    client: "qwen-code",
    words: () => ["qwen", "--auth-type", "openai", "--model", "m", "--approval-mode", "yolo", "go"],
    environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none" }),
    files: () => ({
      ".qwen/settings.json": {
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        tools: { toolSearch: { enabled: false } },
      },
    }),
  },
  {
    client: "copilot-cli",
    words: () => ["copilot", "-p", "go", "--allow-all-tools"],
    environment: ({ url }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: "m",
    }),
  },
];

/** Nothing but this machine can be reached by a program that minds a proxy. */
const OFFLINE = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/**
 * Our own server, installed by `mcp-install` in a new home, is called by the clients when a model
 * asks for it, and the model gets the whole result.
 *
 * @param server the URL of `POST /mcp`.
 */
export function modelCallChecks(
  bin: string,
  { home, project }: Workspace,
  server: string,
): Check[] {
  const transports = {
    "on stdio": ["--command", process.execPath, "--args", main, "--args", "mcp"],
    "over HTTP": ["--url", server],
  };
  const run = async (program: Program, transport: readonly string[], model: Model) => {
    const folder = mkdtempSync(join(home, "model-"));
    const cwd = mkdtempSync(join(project, "model-"));
    for (const [path, content] of Object.entries(program.files?.(model, cwd) ?? {})) {
      const file = join(folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(content));
    }
    const PATH = `${bin}:${process.env.PATH}`;
    const own = { PATH, HOME: folder, NO_COLOR: "1", DISABLE_TELEMETRY: "1", ...OFFLINE };
    const options = { cwd, env: { ...own, ...program.environment(model) }, timeout: 60_000 };
    const install = [main, "mcp-install", "--client", program.client, "--name", "handtools"];
    await outputOf(process.execPath, [...install, ...transport], options);
    const [command = "", ...args] = program.words(model);
    await outputOf(command, args, options);
  };

  return PROGRAMS.flatMap((program) =>
    Object.entries(transports).map(([title, transport]) => ({
      shows: `${program.client} called`,
      title: `${program.client} calls our tool ${title}, and its model gets the result`,
      run: async () => {
        const model = startModel(TOOL, ARGUMENTS);
        try {
          await run(program, transport, model);
          // Some clients put words of their own around the result.
          const result = libraryResult(mcpConfigContract, ARGUMENTS);
          expectSame(
            model.takeResults().map((text) => (text.includes(result) ? result : text)),
            [result],
          );
        } finally {
          model.stop();
        }
      },
    })),
  );
}
