import type { ValidMcpConfigInput } from "../../schemas/mcp-config.ts";
import type { Path } from "../issues.ts";
import { InvalidInputError, issueAt } from "../issues.ts";

export type StringMap = Readonly<Record<string, string>>;

/** A program that the client starts and talks to over its standard input and output. */
export interface LocalServer {
  readonly transport: "stdio";
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: StringMap;
}

/** A server that the client reaches over Streamable HTTP. */
export interface RemoteServer {
  readonly transport: "http";
  readonly name: string;
  readonly url: string;
  readonly headers: StringMap;
}

export type Server = LocalServer | RemoteServer;

/**
 * The server that the input describes.
 *
 * @throws {InvalidInputError} when it describes both kinds or none.
 */
export function toServer(input: ValidMcpConfigInput): Server {
  const { name, command, args = [], env = {}, url, headers = {} } = input;
  if (command !== undefined && url !== undefined) {
    throw new InvalidInputError([
      issueAt(["url"], "must be left out with command: a server is either local or remote"),
    ]);
  }
  if (command !== undefined) return { transport: "stdio", name, command, args, env };
  if (url !== undefined) return { transport: "http", name, url, headers };
  throw new InvalidInputError([
    issueAt([], "give command for a local server, or url for a remote one"),
  ]);
}

/** The server's values that are free text, with their places in the input. */
export function textsOf(server: Server): { path: Path; value: string }[] {
  if (server.transport === "http") return mapTexts("headers", server.headers);
  return [
    { path: ["command"], value: server.command },
    ...server.args.map((value, index) => ({ path: ["args", index], value })),
    ...mapTexts("env", server.env),
  ];
}

const mapTexts = (field: string, map: StringMap) =>
  Object.entries(map).map(([key, value]) => ({ path: [field, key], value }));

/** What the server's owner may want to keep secret: its environment, or its headers. */
export const valuesOf = (server: Server): StringMap =>
  server.transport === "stdio" ? server.env : server.headers;

/** `npx -y server`, but not `C:\Program Files\run.exe`. */
export const looksLikeCommandLine = (command: string): boolean =>
  /^[^\s/\\"']+\s+\S/.test(command) || /^\S+\s+-/.test(command);
