import { readFileSync } from "node:fs";
import {
  type Contract,
  type Health,
  MAX_RESULT_BYTES,
  type Setting,
  tools,
} from "../schemas/index.ts";
import { type BoundTool, bindTool, callTool } from "../src/call-tool.ts";
import { formatIssue, formatIssues, InvalidInputError } from "../src/issues.ts";
import { readJson } from "../src/json-text.ts";
import type { GivenSettings } from "../src/tool.ts";
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
  /** A tool, with the operator's replacements for its built-in data. */
  toolOf(contract: Contract): BoundTool;
  /** Those replacements, for the page's script, which runs the tool too. */
  settingsOf?(contract: Contract): GivenSettings;
  /** undefined for a site without a newsletter signup. */
  readonly signup: SignupDeps | undefined;
  /** Whether agents may call the tools by the Model Context Protocol. */
  readonly mcp: boolean;
  /** Enables WebMCP in browsers that take part in its origin trial. */
  readonly webMcpTrialToken?: string | undefined;
  /** The name under which the package is published; without it, no page shows a command. */
  readonly npmPackage?: string | undefined;
  /** Where the site's source is to be read, linked in every footer. */
  readonly sourceUrl?: string | undefined;
  readonly log: Log;
  readonly onRequest?: RequestObserver | undefined;
  /** Whether the service is stopping: requests in flight finish, and balancers should send no more. */
  isDraining(): boolean;
}

/** Runs a tool for a request. An input that is refused becomes a 400 with its problems. */
export function runForRequest(contract: Contract, input: unknown, service: Service): unknown {
  const outcome = service.toolOf(contract)(input);
  if (outcome.ok) return outcome.value;
  if (outcome.error.code === "invalid_request") {
    throw new HttpError("invalid_request", formatIssues(outcome.error.issues, "; ", MAX_DETAIL));
  }
  throw outcome.error.cause;
}

/** The tools, with built-in data replaced by the operator's settings. */
export function bindTools(settingsOf: SettingsOf): Service["toolOf"] {
  const bound = new Map<string, BoundTool>(
    tools.map((tool) => [tool.name, bindTool(tool, settingsOf(tool), LIMITS)]),
  );
  return ({ name }) => bound.get(name) ?? ((input) => callTool(name, input));
}

type SettingsOf = NonNullable<Service["settingsOf"]>;

const LIMITS = { resultBytes: MAX_RESULT_BYTES };

/**
 * The operator's settings by tool. The variable `PRICE_BOOK` names the file of the setting
 * `price_book`.
 *
 * @throws {StartupError} for a file that is unreadable or breaks the setting's schema.
 */
export function readSettings(environment: Environment): SettingsOf {
  const read = new Map<string, GivenSettings>(
    tools.map((tool) => [tool.name, readToolSettings(tool, environment)]),
  );
  return ({ name }) => read.get(name) ?? {};
}

function readToolSettings({ settings }: Contract, environment: Environment): GivenSettings {
  const given = Object.entries<Setting>(settings).flatMap(([name, setting]) => {
    const variable = name.toUpperCase();
    const file = environment[variable];
    return file ? [[name, readSetting(variable, file, setting)]] : [];
  });
  return Object.fromEntries(given);
}

function readSetting(variable: string, file: string, { schema }: Setting): unknown {
  try {
    return validate(schema, readJson(readFileSync(file, "utf8")));
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
