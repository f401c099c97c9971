import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };

/** A user's program: it imports every export with its types, and counts on wrong uses to fail. */
const typed = `
import { automationCost, callTool, InvalidInputError, jsonSchema, mailFilter, mcpConfig, tools } from "handtools";
import type { AutomationCostResult, Issue, MailFilterInput, MailFilterResult, McpConfigInput, ToolResult, Warning } from "handtools";
import { automationCost as automationCostAlone } from "handtools/automation-cost";
import { mailFilter as mailFilterAlone } from "handtools/mail-filter";
import { mcpConfig as mcpConfigAlone } from "handtools/mcp-config";
import { mailFilterContract } from "handtools/schemas";

const input: MailFilterInput = { filters: [{ from: ["a@example.com"], importance: "never" }] };
const result: MailFilterResult = mailFilter(input);
export const xml: string = result.file.content;
export const warnings: Warning[] = result.warnings;
export const price: number | undefined = automationCost({ zaps: [{ action_steps: 1, runs_per_month: 2 }] }).cheapest?.monthly_price;
export const client: "claude-desktop" | "claude-code" | "cursor" | "vscode" | "codex" | undefined = mcpConfig({ name: "a", command: "b" }).clients[0]?.client;
export const called: ToolResult = callTool("mcp_config_generator", input);
export const names: ("mail_filter_generator" | "automation_cost_calculator" | "mcp_config_generator")[] = tools.map((tool) => tool.name);
export const issues = (error: unknown): readonly Issue[] => (error instanceof InvalidInputError ? error.issues : []);
export const schema: string | undefined = jsonSchema(mailFilterContract.input).type;
export const alone: [MailFilterResult, AutomationCostResult, string] = [
  mailFilterAlone(input),
  automationCostAlone({ zaps: [] }),
  mcpConfigAlone({ name: "a" }).name,
];

// @ts-expect-error no such choice
export const wrongChoice: MailFilterInput = { filters: [{ importance: "often" }] };
// @ts-expect-error a name is required
export const noName: McpConfigInput = { command: "b" };
// @ts-expect-error no such field
mcpConfig({ name: "a", comand: "b" });
// @ts-expect-error a result has no such property
export const nothing = result.files;
`;

/** Imports of entries of the package's exports, so that none is without types. */
const imports = (wanted: (entry: string) => boolean): string =>
  Object.keys(packageJson.exports)
    .filter((entry) => !entry.endsWith(".json") && wanted(entry))
    .map((entry, at) => `export * as entry${at} from "${join("handtools", entry)}";\n`)
    .join("");

const isServer = (entry: string): boolean => entry === "./server";

interface Consumer {
  readonly name: string;
  readonly moduleResolution: "NodeNext" | "Bundler";
  readonly programs: Readonly<Record<string, string>>;
  /** Whether the declarations are left unchecked: those of Elysia do not pass. */
  readonly skipLibCheck: boolean;
}

const pure = { "typed.ts": typed, "whole.ts": imports((entry) => !isServer(entry)) };

export const consumers: readonly Consumer[] = [
  { name: "NodeNext", moduleResolution: "NodeNext", programs: pure, skipLibCheck: false },
  { name: "Bundler", moduleResolution: "Bundler", programs: pure, skipLibCheck: false },
  {
    name: "the server",
    moduleResolution: "NodeNext",
    programs: { "server.ts": imports(isServer) },
    skipLibCheck: true,
  },
];

/**
 * Writes a consumer's programs and a strict configuration for them.
 *
 * @returns the folder to run tsc in.
 */
export function writeConsumer(installed: string, consumer: Consumer): string {
  const { name, moduleResolution, programs, skipLibCheck } = consumer;
  const folder = join(installed, `consumer-${name}`);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(programs)) writeFileSync(join(folder, file), text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck,
    target: "ES2024",
    lib: ["ES2024", "DOM"],
    module: moduleResolution === "NodeNext" ? "NodeNext" : "ESNext",
    moduleResolution,
    types: [],
    noEmit: true,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
  return folder;
}
