import type { ClientConfig } from "../../schemas/mcp-config.ts";
import type { ClientRow } from "./clients/client.ts";
import { writeJson, writeJsonMembers } from "./json.ts";
import type { Server } from "./server.ts";
import { writeToml } from "./toml.ts";

/** The client's whole file with this one server, and the part to add to a file with others. */
export function writeConfig(
  { format, rootKey, entry }: ClientRow,
  server: Server,
): Pick<ClientConfig, "snippet" | "entry"> {
  const servers = { [server.name]: entry(server) };
  if (format === "toml") {
    const tables = writeToml({ [rootKey]: servers });
    return { snippet: tables, entry: tables };
  }
  return { snippet: `${writeJson({ [rootKey]: servers })}\n`, entry: writeJsonMembers(servers) };
}
