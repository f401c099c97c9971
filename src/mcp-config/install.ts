import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { bashLine } from "./bash.ts";
import type { ClientRow } from "./clients/client.ts";
import { secretArguments } from "./secret-arguments.ts";
import { secretParameters } from "./secrets.ts";
import type { Server } from "./server.ts";

/** The client's commands and link that add the server, those that are known to work. */
export function installOf(row: ClientRow, server: Server): ClientConfig["install"] {
  const words = row.bash?.(server);
  const powershell = row.powershell?.(server);
  return {
    ...(words && { bash: bashLine(words) }),
    ...(powershell && { powershell }),
    ...(row.link && !keptFromLinks(server) && { link: row.link(server) }),
  };
}

/**
 * What a link would carry of the server although it does not belong in histories and chats,
 * where links are kept; undefined when there is nothing of the kind.
 */
export function keptFromLinks(server: Server): string | undefined {
  if (server.transport === "stdio") {
    if (Object.keys(server.env).length > 0) return "the values of env";
    return secretArguments(server.args).length > 0 ? "what looks like a secret in args" : undefined;
  }
  if (Object.keys(server.headers).length > 0) return "the values of headers";
  return secretParameters(server.url).length > 0 ? "what looks like a secret in url" : undefined;
}
