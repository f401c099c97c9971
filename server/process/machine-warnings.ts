import { hostInUrl, isLoopback } from "../../src/url.ts";
import type { Environment } from "../config.ts";

/**
 * Warns the operator about the way the server was started.
 *
 * @param userId the user's number, where the system has one.
 */
export function machineWarnings(
  environment: Environment,
  userId: number | undefined,
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
  return warnings;
}

const ROOT = 0;
