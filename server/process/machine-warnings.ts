import { isLocal } from "../config.ts";
import type { Environment } from "../variables.ts";

/**
 * Warns the operator about the way the server was started, unless only this machine reaches it.
 *
 * @param userId the user's number, where the system has one.
 */
export function machineWarnings(
  environment: Environment,
  userId: number | undefined,
): readonly string[] {
  if (isLocal(environment)) return [];
  return [
    ...(userId === ROOT ? ["the server runs as root: run it as its own user"] : []),
    ...(environment.BASE_URL
      ? []
      : [
          "BASE_URL is not set: links lead to localhost, and signups and /mcp are rejected under any other name; set it to the origin that browsers show",
        ]),
  ];
}

const ROOT = 0;
