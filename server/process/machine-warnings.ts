import { join } from "node:path";
import { parseEnv } from "node:util";
import { variables } from "../../schemas/variables.ts";
import { hostInUrl, isLoopback } from "../../src/url.ts";
import { type Environment, readConfigFile } from "../config.ts";

export interface Machine {
  readonly workingDirectory: string;
  /** The user's number, where the system has one. */
  readonly userId: number | undefined;
}

/** Warns the operator about the way the server was started. */
export function machineWarnings(
  environment: Environment,
  { workingDirectory, userId }: Machine,
): readonly string[] {
  const warnings: string[] = [];
  if (userId === ROOT) {
    warnings.push("the server runs as root: run it as its own user");
  }
  const { HOST: host = "", BASE_URL: baseUrl = "" } = environment;
  if (host !== "" && baseUrl === "" && !isLoopback(hostInUrl(host))) {
    warnings.push(
      "BASE_URL is not set: links lead to localhost, and signups and /mcp are rejected under any other name; set it to the origin that browsers show",
    );
  }
  const unread = unreadVariables(environment, join(workingDirectory, ".env"));
  if (unread.length > 0) {
    warnings.push(
      `.env in the working directory is not read: ${unread.join(", ")} there has no effect; use --env-file .env`,
    );
  }
  return warnings;
}

const ROOT = 0;

/** Variables of the server that the file sets and the environment does not have. */
function unreadVariables(environment: Environment, file: string): string[] {
  const names = variables.map(({ name }) => name);
  try {
    const given = parseEnv(readConfigFile(file));
    return names.filter((name) => given[name] !== undefined && environment[name] === undefined);
  } catch {
    // No file is the usual case, and one that cannot be read is not ours to judge.
    return [];
  }
}
