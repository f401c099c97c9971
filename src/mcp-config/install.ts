import type { ClientConfig } from "../../schemas/mcp-config.ts";
import { bashLine } from "./bash.ts";
import type { ClientRow } from "./clients/client.ts";
import { type Server, valuesOf } from "./server.ts";

/** The client's commands and link that add the server, those that are known to work. */
export function installOf(row: ClientRow, server: Server): ClientConfig["install"] {
  const words = row.bash?.(server);
  const powershell = row.powershell?.(server);
  return {
    ...(words && { bash: bashLine(words) }),
    ...(powershell && { powershell }),
    ...(row.link && canBeLinked(server) && { link: row.link(server) }),
  };
}

/** A link is kept in histories and chats, where values of env and headers do not belong. */
export const canBeLinked = (server: Server): boolean => Object.keys(valuesOf(server)).length === 0;
