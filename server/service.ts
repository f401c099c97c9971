import { readFileSync } from "node:fs";
import { type Contract, type Health, type Setting, tools } from "../schemas/index.ts";
import { type BoundTool, bindTool, callTool } from "../src/call-tool.ts";
import { formatIssue, InvalidInputError, type ToolError } from "../src/issues.ts";
import { plural } from "../src/text.ts";
import type { GivenSettings } from "../src/tool.ts";
import { validate } from "../src/validate.ts";
import { type Environment, StartupError } from "./config.ts";
import { HttpError } from "./http/error.ts";
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
  readonly signup: SignupDeps;
  /** Enables WebMCP in browsers that take part in its origin trial. */
  readonly webMcpTrialToken?: string | undefined;
  readonly log: Log;
  /** Whether the service is stopping: requests in flight finish, and balancers should send no more. */
  isDraining(): boolean;
}

/** Runs a tool for a request. A refused input becomes a 400 with its first problem. */
export function runForRequest(contract: Contract, input: unknown, service: Service): unknown {
  const outcome = service.toolOf(contract)(input);
  if (outcome.ok) return outcome.value;
  if (outcome.error.code === "invalid_request") {
    throw new HttpError("invalid_request", firstProblem(outcome.error));
  }
  throw outcome.error.cause;
}

/** The first problem by its path and the number of others, so that an agent can correct its call. */
function firstProblem({ issues }: ToolError): string {
  const [first] = issues;
  const more = issues.length - 1;
  const others = more === 0 ? "" : ` (${plural(more, "more problem")})`;
  return first ? `${formatIssue(first)}${others}` : "";
}

/**
 * The tools, with built-in data replaced by the operator's files. The variable `PRICE_BOOK` names
 * the file of the setting `price_book`.
 *
 * @throws {StartupError} for a file that is unreadable or breaks the setting's schema.
 */
export function bindTools(environment: Environment): Service["toolOf"] {
  const bound = new Map<string, BoundTool>(
    tools.map((tool) => [tool.name, bindTool(tool, readToolSettings(tool, environment))]),
  );
  return ({ name }) => bound.get(name) ?? ((input) => callTool(name, input));
}

/** The operator's files by tool, as `bindTools` uses them. */
export function readSettings(environment: Environment): (contract: Contract) => GivenSettings {
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
    return validate(schema, JSON.parse(readFileSync(file, "utf8")));
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
