import type { Client } from "../../../schemas/index.ts";
import type { Model } from "./model.ts";

export interface Program {
  readonly client: Client;
  /** Its package on npm, with the version. */
  readonly package: string;
  readonly command: string;
  /** The user's file in the home. */
  readonly file: string;
  /** The variable that moves the file, and its path in that folder. */
  readonly moved: readonly [variable: string, path: string];
  /** A file with another server, and as many comments as it takes. */
  readonly before: string;
  /** The arguments with which it starts and asks its servers; Copilot only shows them. */
  readonly list: readonly string[];
  /** The arguments with which it asks the model one thing, and ends. */
  prompt(model: Model): readonly string[];
  environment(model: Model): Readonly<Record<string, string>>;
  /** What its file must say of the model. */
  settings?(model: Model): object;
}

/** @param first a line that the client would add of its own accord. */
const mcpServers = (first = "") =>
  `{\n  // mine${first}\n  "mcpServers": {\n    "other": { "command": "x" } // end\n  }\n}\n`;

const CODEX_CONFIG = `# mine
model = "o5" # not a server

[mcp_servers.other]
command = "other"
args = [
  "a", # the first
]

[projects."/home/me"]
trust_level = "trusted"
`;

export const TOOL = "mcp_config_generator";

/** opencode, and Kilo Code, which began as opencode. */
const OPENCODE = {
  before:
    '{\n  "$schema": "https://opencode.ai/config.json",\n  // mine\n  "mcp": {\n    "other": { "type": "local", "command": ["x"], "enabled": false }, // end\n  },\n}\n',
  list: ["mcp", "list"],
  prompt: () => ["run", "--model", "x/m", "go"],
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" }),
  settings: ({ url }: Model) => {
    const options = { baseURL: `${url}/v1`, apiKey: "none" };
    const x = { npm: "@ai-sdk/openai-compatible", options, models: { m: {} } };
    return { provider: { x }, small_model: "x/m" };
  },
};

/**
 * The clients that run here. Claude Code and Codex ask their model before a server that starts
 * slowly is there, unless told to wait, as both are.
 */
export const PROGRAMS: readonly Program[] = [
  {
    client: "claude-code",
    package: "@anthropic-ai/claude-code@2.1.330",
    command: "claude",
    file: ".claude.json",
    moved: ["CLAUDE_CONFIG_DIR", ".claude.json"],
    before: '{ "numStartups": 1 }',
    list: ["mcp", "list"],
    prompt: () => ["-p", "go", "--allowedTools", `mcp__handtools__${TOOL}`],
    environment: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      ENABLE_TOOL_SEARCH: "false",
      MCP_CONNECTION_NONBLOCKING: "false",
    }),
  },
  {
    client: "codex",
    package: "@openai/codex@0.169.0",
    command: "codex",
    file: ".codex/config.toml",
    moved: ["CODEX_HOME", "config.toml"],
    before: CODEX_CONFIG,
    list: ["app-server"],
    // Its sandbox only reads, in which a tool runs that says that it changes nothing.
    prompt: ({ url }) => [
      ...["exec", "--skip-git-repo-check", "--model", "m", "-c", "model_provider=x", "-c"],
      `model_providers.x={ name = "x", base_url = "${url}/v1", wire_api = "responses" }`,
      ...["-c", "mcp_servers.handtools.required=true", "go"],
    ],
    environment: () => ({}),
  },
  {
    client: "copilot-cli",
    package: "@github/copilot@1.0.102",
    command: "copilot",
    file: ".copilot/mcp-config.json",
    moved: ["COPILOT_HOME", "mcp-config.json"],
    before: mcpServers(),
    list: ["mcp", "list", "--json"],
    prompt: () => ["-p", "go", "--allow-all-tools"],
    environment: ({ url }) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_MODEL: "m",
    }),
  },
  {
    ...OPENCODE,
    client: "opencode",
    package: "opencode-ai@1.18.33",
    command: "opencode",
    file: ".config/opencode/opencode.json",
    moved: ["XDG_CONFIG_HOME", "opencode/opencode.json"],
  },
  {
    client: "gemini-cli",
    package: "@google/gemini-cli@0.61.0",
    command: "gemini",
    file: ".gemini/settings.json",
    moved: ["GEMINI_CLI_HOME", ".gemini/settings.json"],
    before: mcpServers(),
    list: ["mcp", "list"],
    prompt: () => ["--model", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "go"],
    environment: ({ url }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "none" }),
    settings: () => ({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }),
  },
  {
    client: "qwen-code",
    package: "@qwen-code/qwen-code@0.24.4",
    command: "qwen",
    file: ".qwen/settings.json",
    moved: ["QWEN_HOME", "settings.json"],
    before: mcpServers('\n  "$version": 4,'),
    list: ["mcp", "list"],
    prompt: () => ["--auth-type", "openai", "--model", "m", "--approval-mode", "yolo", "go"],
    environment: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none" }),
    settings: () => ({
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      tools: { toolSearch: { enabled: false } },
    }),
  },
  {
    ...OPENCODE,
    client: "kilo-code",
    // What @kilocode/cli runs on Linux. It has no link in node_modules/.bin.
    package: "@kilocode/cli-linux-x64@7.7.9",
    command: "kilo",
    file: ".config/kilo/kilo.jsonc",
    moved: ["XDG_CONFIG_HOME", "kilo/kilo.jsonc"],
    // It adds this setting of its own accord.
    before: OPENCODE.before.replace("  // mine", '  "permission": { "bash": "allow" }, // mine'),
    prompt: () => ["run", "--auto", "--model", "x/m", "go"],
    environment: () => ({
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_SESSION_INGEST: "1",
      KILO_TELEMETRY_LEVEL: "off",
    }),
  },
];
