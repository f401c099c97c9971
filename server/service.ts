import { readFileSync } from "node:fs";
import { type Contract, type Health, type Setting, tools } from "../schemas/index.ts";
import { callTool } from "../src/call-tool.ts";
import { formatIssue, InvalidInputError, type ToolFailure } from "../src/issues.ts";
import { plural } from "../src/text.ts";
import { prepareSettings } from "../src/tool.ts";
import { validate } from "../src/validate.ts";
import { StartFailure } from "./config.ts";
import { Refusal } from "./http/error.ts";
import type { Log } from "./log.ts";
import type { SignupPorts } from "./signup/sign-up.ts";

export type ToolSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What the routes know of the running service. */
export interface Service {
  /** The site's own origin. Known only when the port is. */
  baseUrl(): string;
  /** The optional fields of the health check. */
  readonly identity: Omit<Health, "status">;
  /** By a tool's name: replacements for its built-in data, by the names in its contract. */
  readonly settings: ToolSettings;
  readonly signup: SignupPorts;
  /** Lets the browsers of an origin trial have WebMCP. */
  readonly webMcpTrialToken?: string | undefined;
  readonly log: Log;
  /** Whether the service stops: requests in flight are finished, new ones are not wanted. */
  isDraining(): boolean;
}

/** Runs a tool on an input from outside. What is refused is thrown with its first problem. */
export function runTool({ name }: Contract, input: unknown, { settings }: Service): unknown {
  const outcome = callTool(name, input, settings[name]);
  if (outcome.ok) return outcome.value;
  if (outcome.error.code === "invalid_request") {
    throw new Refusal("invalid_request", firstProblem(outcome.error));
  }
  throw outcome.error.cause;
}

/** The first problem by its path, and how many more there are, so that an agent can mend its call. */
function firstProblem({ issues }: ToolFailure): string {
  const [first] = issues;
  const more = issues.length - 1;
  const others = more === 0 ? "" : ` (${plural(more, "more problem")})`;
  return first ? `${formatIssue(first)}${others}` : "";
}

/**
 * Reads the files that replace the tools' built-in data. A setting `price_book` is named by the
 * variable `PRICE_BOOK`.
 *
 * @throws {StartFailure} for a file that cannot be read or breaks the setting's schema.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): ToolSettings {
  const given = tools.map((tool) => {
    const settings = Object.entries<Setting>(tool.settings).flatMap(([name, setting]) => {
      const variable = name.toUpperCase();
      const file = environment[variable];
      return file ? [[name, readSetting(variable, file, setting)]] : [];
    });
    return [tool.name, prepareSettings(tool, Object.fromEntries(settings))];
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
    throw new StartFailure(
      2,
      problems.map((problem) => `${variable}: ${file}: ${problem}`),
    );
  }
}
