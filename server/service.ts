import { readFileSync } from "node:fs";
import { type Contract, type Health, MAX_RESULT_BYTES, tools } from "../schemas/index.ts";
import { callTool } from "../src/call-tool.ts";
import { formatIssue, formatIssues, InvalidInputError, type ToolResult } from "../src/issues.ts";
import { readJson } from "../src/json-text.ts";
import type { RunOptions } from "../src/tool.ts";
import { validate } from "../src/validate.ts";
import { type Environment, StartupError } from "./config.ts";
import { HttpError, MAX_DETAIL } from "./http/error.ts";
import type { RequestObserver } from "./http/route.ts";
import type { Log } from "./log.ts";
import type { SignupDeps } from "./signup/sign-up.ts";

/** The running service, as the routes know it. */
export interface Service {
  /** The site's own origin, known only once the port is. */
  baseUrl(): string;
  /** The optional fields of the health check. */
  readonly identity: Omit<Health, "status">;
  /** Runs a tool by its name, with the operator's replacement for its built-in data. */
  run(name: string, input: unknown, options?: ServedOptions): ToolResult;
  /** Those replacements, for the page's script, which runs the tools too. */
  readonly settings?: Settings;
  /** undefined for a site without a newsletter signup. */
  readonly signup: SignupDeps | undefined;
  /** True when agents may call the tools by the Model Context Protocol. */
  readonly mcp: boolean;
  /** Enables WebMCP in browsers that take part in its origin trial. */
  readonly webMcpTrialToken?: string | undefined;
  /** The name under which the package is published; without it, no page shows a command. */
  readonly npmPackage?: string | undefined;
  /** The page with the site's source, linked in every footer. */
  readonly sourceUrl?: string | undefined;
  readonly log: Log;
  readonly onRequest?: RequestObserver | undefined;
  /** True while the service stops: requests in flight finish, and balancers should send no more. */
  isDraining(): boolean;
}

/** The value of a run for a request. A rejected input becomes a 400 with its problems. */
export function resultOf(outcome: ToolResult): object {
  if (outcome.ok) return outcome.value;
  const { code, issues, cause } = outcome.error;
  if (code !== "invalid_request") throw cause;
  throw new HttpError(code, formatIssues(issues, "; ", MAX_DETAIL));
}

/** How a caller of the service wants a result, and how long it may be. */
export type ServedOptions = Pick<RunOptions, "text" | "resultBytes">;

/** Runs the tools within the limits of the service. */
export const toolsWith =
  (settings: Settings): Service["run"] =>
  (name, input, options) =>
    callTool(
      name,
      input,
      {},
      { resultBytes: MAX_RESULT_BYTES, ...options, setting: settings.get(name) },
    );

/** The operator's valid replacements for built-in data, by the names of the tools. */
export type Settings = ReadonlyMap<string, RunOptions["setting"]>;

/**
 * The operator's settings. The variable `PRICE_BOOK` names the file of the setting `price_book`.
 *
 * @throws {StartupError} for a file that is unreadable or breaks the setting's schema.
 */
export function readSettings(environment: Environment): Settings {
  const settings = tools.flatMap((contract: Contract) => {
    const setting = readSetting(contract, environment);
    return setting === undefined ? [] : [[contract.name, setting] as const];
  });
  return new Map(settings);
}

function readSetting({ setting }: Contract, environment: Environment): RunOptions["setting"] {
  const variable = setting?.name.toUpperCase() ?? "";
  const file = environment[variable];
  if (!setting || !file) return undefined;
  try {
    return validate(setting.schema, readJson(readFileSync(file, "utf8")));
  } catch (error) {
    const problems =
      error instanceof InvalidInputError
        ? error.issues.map(formatIssue)
        : [error instanceof Error ? error.message : String(error)];
    throw new StartupError(
      2,
      problems.map((problem) => `${variable}: ${file}: ${problem}`),
    );
  }
}
