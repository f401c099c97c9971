import type pg from "pg";
import { parse, toClientConfig } from "pg-connection-string";
import { hostInUrl, isLoopback } from "../../../src/url.ts";
import { readConfigFile } from "../../variables.ts";

/** The place of a PostgreSQL server, and how to connect to it. */
export interface PostgresAddress {
  readonly config: pg.ClientConfig;
  /** How long a new connection may take. */
  readonly connectMs: number;
  /** Host and port, or the socket's folder, for messages. */
  readonly title: string;
  readonly isRemote: boolean;
  /** True when the connection may be without TLS if the server has none: `sslmode=prefer`. */
  readonly mayBePlain: boolean;
}

const WANTED = "must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE";

const ENCODE =
  "must be percent-encoded: in a user, a password or a name write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25";

/**
 * Reads a URL as PostgreSQL's own programs do: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, where
 * `?host=/folder` names a Unix socket.
 *
 * @returns the address, or what is wrong with the URL, in words that quote no part of it.
 */
export function parsePostgresUrl(text: string): PostgresAddress | string {
  const [all, authority = "", database = "", query = ""] =
    /^postgres(?:ql)?:\/\/([^/?#]*)\/?([^?]*)\??(.*)$/s.exec(text) ?? [];
  if (all === undefined) return WANTED;
  // Otherwise a part of the password would be taken for a host, a port or a database.
  if (/[@#]/.test(database + query) || /%(?![\da-f]{2})/i.test(text)) return ENCODE;
  const parameters = new URLSearchParams(query);
  const problem = findProblem(parameters);
  if (problem !== undefined) return problem;
  if (`${authority.replace(/.*@/s, "")}${parameters.get("host")}`.includes(",")) {
    return "names several hosts: name one, which may be a pooler in front of them";
  }
  try {
    const config = toClientConfig(parse(text, { useLibpqCompat: true }));
    return readAddress({ ...config, database: decodeURIComponent(database) }, parameters);
  } catch (error) {
    return error instanceof URIError ? ENCODE : WANTED;
  }
}

const PARAMETERS = "host, port, sslmode, sslrootcert, connect_timeout, application_name";

const SSL_MODES = "disable, prefer, require, verify-ca, verify-full";

function findProblem(parameters: URLSearchParams): string | undefined {
  if (parameters.has("channel_binding")) {
    return "takes no channel_binding: leave it out, and ask for sslmode=verify-full instead, which checks that the server is the right one";
  }
  if ([...parameters.keys()].some((name) => !PARAMETERS.split(", ").includes(name))) {
    return `takes these parameters only: ${PARAMETERS}`;
  }
  if (!/^\d{1,3}$/.test(parameters.get("connect_timeout") ?? "0")) {
    return "connect_timeout must be a whole number of seconds";
  }
  const sslMode = parameters.get("sslmode") ?? "prefer";
  if (!SSL_MODES.split(", ").includes(sslMode)) return `sslmode must be one of ${SSL_MODES}`;
  const certificate = parameters.get("sslrootcert");
  if (certificate === null) {
    return sslMode === "verify-ca" ? "sslmode=verify-ca needs sslrootcert" : undefined;
  }
  try {
    readConfigFile(certificate);
    return undefined;
  } catch {
    return "sslrootcert must be a file that can be read";
  }
}

/** How long a new connection may take where `connect_timeout` does not say it. */
const CONNECT_SECONDS = 5;

function readAddress(parsed: pg.ClientConfig, parameters: URLSearchParams): PostgresAddress {
  const { host = "", port = 5432, user, password, database, ssl } = parsed;
  if (port > 65_535) throw new RangeError("no such port");
  const server = hostInUrl(host || "localhost");
  const isSocket = host.startsWith("/");
  const isRemote = !isSocket && !isLoopback(server);
  const sslMode = parameters.get("sslmode") ?? (isRemote ? "prefer" : "disable");
  const mayBePlain = sslMode === "prefer";
  return {
    title: isSocket ? host : `${server}:${port}`,
    isRemote,
    mayBePlain,
    connectMs: 1_000 * (Number(parameters.get("connect_timeout")) || CONNECT_SECONDS),
    config: {
      host: host || "localhost",
      port,
      user,
      // Without one, the driver would look in the environment and in ~/.pgpass.
      password: password || askForPassword,
      database,
      application_name: parameters.get("application_name") ?? "handtools",
      // Without a mode the parser would check the certificate.
      ssl: mayBePlain ? { rejectUnauthorized: false } : sslMode !== "disable" && ssl,
    },
  };
}

/** Called when the server wants a password and the URL has none. */
function askForPassword(): never {
  throw new Error(
    "it asks for a password: put it into DATABASE_URL; PGPASSWORD and ~/.pgpass are not read",
  );
}
