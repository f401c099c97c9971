import { getCACertificates } from "node:tls";
import type pg from "pg";
import { parse, toClientConfig } from "pg-connection-string";
import { describeSystemError } from "../../../src/text.ts";
import { hostInUrl, isLoopback } from "../../../src/url.ts";
import { readConfigFile } from "../../environment-variables.ts";
import { OperatorError } from "../../operator-error.ts";

export interface PostgresAddress {
  readonly config: pg.ClientConfig;
  /** Host and port, or the socket's directory, for messages. */
  readonly title: string;
  readonly isRemote: boolean;
  /** Whether to connect to a server without TLS: `sslmode=prefer`. */
  readonly mayBePlain: boolean;
}

const DATABASE_URL_REQUIRED =
  "must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with @ in a user, a password or a name as %40, / as %2F, ? as %3F, # as %23 and % as %25";

const SUPPORTED_PARAMETERS = "host, port, sslmode, sslrootcert, connect_timeout, application_name";

const NEEDS_AUTHORITY =
  "sslmode=verify-ca: needs sslrootcert with the file of the authority; for a public one use verify-full";

/** The default of `connect_timeout`. */
const CONNECT_SECONDS = 5;

/**
 * Parses a URL as PostgreSQL's own programs do: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, where
 * `?host=/directory` names a Unix socket. The driver also reads PGPASSWORD and ~/.pgpass.
 *
 * @throws {OperatorError} without the user, the password or the host.
 */
export function parsePostgresUrl(url: string): PostgresAddress {
  const [isUrl, afterHost = ""] = /^postgres(?:ql)?:\/\/[^/?#]*(.*)$/s.exec(url) ?? [];
  // Otherwise part of a password could become the host, the port or the database.
  if (!isUrl || /[@#]/.test(afterHost) || /%(?![\da-f]{2})/i.test(url))
    throw urlError(DATABASE_URL_REQUIRED);
  const parameters = new URLSearchParams(afterHost.replace(/^[^?]*/, ""));
  const given = parameters.get("sslmode");
  if ([...parameters.keys()].some((name) => !SUPPORTED_PARAMETERS.split(", ").includes(name))) {
    throw urlError(`supports only these parameters: ${SUPPORTED_PARAMETERS}`);
  }
  const certificate = parameters.get("sslrootcert");
  const isSystem = certificate === "system";
  if (isSystem && given !== null && given !== "verify-full") {
    throw urlError("sslrootcert=system: needs sslmode=verify-full");
  }
  const {
    host = "",
    port = 5432,
    ssl,
    ...rest
  } = isSystem
    ? parseConnectionUrl(url.replace(/(?<=[?&])sslrootcert=system(?=&|$)/, ""), null)
    : parseConnectionUrl(url, certificate);
  if (port > 65_535) throw urlError(DATABASE_URL_REQUIRED);
  const server = hostInUrl(host || "localhost");
  const isSocket = host.startsWith("/");
  const isRemote = !isSocket && !isLoopback(server);
  const ownMode = isRemote ? "prefer" : "disable";
  const sslMode = given ?? (isSystem ? "verify-full" : ownMode);
  const mayBePlain = sslMode === "prefer";
  return {
    title: isSocket ? host : `${server}:${port}`,
    isRemote,
    mayBePlain,
    config: {
      application_name: "handtools",
      ...rest,
      host: host || "localhost",
      port,
      connectionTimeoutMillis:
        1_000 * (Number(parameters.get("connect_timeout")) || CONNECT_SECONDS),
      // Without a mode, the parser would verify the certificate.
      ssl: mayBePlain
        ? { rejectUnauthorized: false }
        : sslMode !== "disable" && (isSystem ? systemAuthorities() : ssl),
    },
  };
}

/** Includes Bun's own, for containers without certificates. */
const systemAuthorities = () => ({
  ca: [...getCACertificates("default"), ...getCACertificates("system")],
});

function parseConnectionUrl(url: string, certificate: string | null): pg.ClientConfig {
  try {
    // The parser itself would read a device forever.
    if (certificate) readConfigFile(certificate);
  } catch (error) {
    throw urlError(`sslrootcert: ${describeSystemError(error) ?? "is not a file"}`);
  }
  try {
    return toClientConfig(parse(url, { useLibpqCompat: true }));
  } catch (error) {
    // The parser's own messages may quote the URL.
    throw urlError(/verify-ca/.test(String(error)) ? NEEDS_AUTHORITY : DATABASE_URL_REQUIRED);
  }
}

const urlError = (problem: string): OperatorError =>
  new OperatorError(2, [`DATABASE_URL: ${problem}`]);
