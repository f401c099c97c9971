import type { LocalServer, RemoteServer, Server, StringMap } from "./server.ts";

/** A server as a client's file spells it, in the order of its keys. */
export type Entry = Readonly<Record<string, string | readonly string[] | StringMap>>;

export const localEntry = ({ command, args, env }: LocalServer): Entry => ({
  command,
  ...unlessEmpty("args", args),
  ...unlessEmpty("env", env),
});

export const remoteEntry = ({ url, headers }: RemoteServer, headersKey = "headers"): Entry => ({
  url,
  ...unlessEmpty(headersKey, headers),
});

/** An entry that says its transport in `type`. */
export const typedEntry = (server: Server): Entry => ({
  type: server.transport,
  ...(server.transport === "stdio" ? localEntry(server) : remoteEntry(server)),
});

const unlessEmpty = (key: string, value: readonly string[] | StringMap): Entry =>
  Object.keys(value).length === 0 ? {} : { [key]: value };
