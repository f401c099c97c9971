import { resolve } from "node:path";
import { OperatorError } from "../../operator-error.ts";
import { openPostgres } from "./postgres.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import type { SignupStore } from "./signup-store.ts";
import { sqliteStore } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";

/**
 * Opens the database of addresses, and updates its tables.
 *
 * @param databaseUrl `file:PATH` for SQLite, relative to the working directory, or `postgres://…`
 * @param create whether to create a missing database.
 * @throws {OperatorError} for an unusable URL or database.
 */
export async function openStore(databaseUrl: string, create = true): Promise<SignupStore> {
  let title = "";
  try {
    if (databaseUrl.startsWith("file:")) {
      title = sqlitePath(databaseUrl);
      const { database, warnings } = openSqliteFile(title, create);
      return sqliteStore(database, warnings);
    }
    const server = parsePostgresUrl(databaseUrl);
    title = `PostgreSQL at ${server.title}`;
    return await openPostgres(server, create);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(1, [`DATABASE_URL: ${title} cannot be used: ${reasonOf(error)}`]);
  }
}

/** @throws {OperatorError} for a URI that SQLite would interpret, such as one with `%20`. */
function sqlitePath(url: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?:localhost)?(?=\/)/, "");
  if (!/^\/\/|[?#]|%[\da-f]{2}/i.test(path) && path !== ":memory:") return resolve(path);
  throw new OperatorError(2, [
    "DATABASE_URL: must be file: and a plain path, such as file:/var/lib/handtools/signups.sqlite; :memory:, a host, parameters and escapes such as %20 are not supported",
  ]);
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, reason] = DRIVER_ERRORS.find(([pattern]) => pattern.test(message)) ?? [];
  return reason ?? message;
}

/** Errors of the driver and of the network. PostgreSQL's own messages are clear. */
const DRIVER_ERRORS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /client password must|^empty password/,
    "it asks for a password: write it into the URL, PGPASSWORD or ~/.pgpass",
  ],
  [
    /^SASL: /,
    "it cannot prove that it knows the password, so it may be another server: check host and port",
  ],
  [
    /authenticationOk message type/,
    "it asks for a login that is not supported, such as GSSAPI: allow scram-sha-256 in pg_hba.conf",
  ],
  [/does not support SSL/, "it has no TLS: turn TLS on there, or set sslmode=disable"],
  [/altnames/, "its certificate is for another name than the host of the URL"],
  [
    /certificate|self.signed/i,
    "its certificate is not from a known authority: name the authority's file with sslrootcert",
  ],
  [
    /establishing an SSL|terminated unexpectedly|ECONNRESET|EPIPE/,
    "it closed the connection: check host and port, and the log of PostgreSQL",
  ],
  [
    /timeout expired|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    "it did not answer in time: check host, port and firewall",
  ],
  [/connect ECONNREFUSED/, "nothing listens there: start PostgreSQL, or correct host and port"],
  [/connect ENOENT/, "there is no socket: start PostgreSQL, or correct the folder and the port"],
  [/getaddrinfo/, "the host has no address: check its name"],
];
