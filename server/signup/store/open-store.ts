import { resolve } from "node:path";
import { OperatorError } from "../../operator-error.ts";
import { openPostgres } from "./postgres.ts";
import { parsePostgresUrl } from "./postgres-url.ts";
import type { SignupStore } from "./signup-store.ts";
import { sqliteStore } from "./sqlite.ts";
import { openSqliteFile } from "./sqlite-file.ts";

/**
 * Opens the database of addresses, and brings its tables up to date.
 *
 * @param databaseUrl `file:PATH` for SQLite, relative to the working directory, or `postgres://…`
 * @param create whether a missing database is made.
 * @throws {OperatorError} for a URL or a database that cannot be used.
 */
export async function openStore(databaseUrl: string, create = true): Promise<SignupStore> {
  if (databaseUrl.startsWith("file:")) {
    const path = sqlitePath(databaseUrl);
    return await describeStoreError(path, async () => {
      const { database, warnings } = openSqliteFile(path, create);
      return sqliteStore(database, warnings);
    });
  }
  const address = parsePostgresUrl(databaseUrl);
  return await describeStoreError(`PostgreSQL at ${address.title}`, () =>
    openPostgres(address, create),
  );
}

/**
 * The path of a SQLite file.
 *
 * @throws {OperatorError} for a URI that SQLite would read in another way, such as one with `%20`.
 */
function sqlitePath(url: string): string {
  const path = url.slice("file:".length).replace(/^\/\/(?:localhost)?(?=\/)/, "");
  if (!/^\/\/|[?#]|%[\da-f]{2}/i.test(path) && path !== ":memory:") return resolve(path);
  throw new OperatorError(2, [
    "DATABASE_URL: must be file: and a plain path, such as file:/var/lib/handtools/signups.sqlite; :memory:, a host, parameters and escapes such as %20 are not supported",
  ]);
}

async function describeStoreError<Value>(
  title: string,
  open: () => Promise<Value>,
): Promise<Value> {
  try {
    return await open();
  } catch (error) {
    throw new OperatorError(1, [`DATABASE_URL: ${title} cannot be used: ${reasonOf(error)}`]);
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, words] = DRIVER_ERRORS.find(([pattern]) => pattern.test(message)) ?? [];
  return words ?? message;
}

/** Errors of the driver and of the network; PostgreSQL's own messages are sentences. */
const DRIVER_ERRORS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /client password must|^empty password/,
    "it asks for a password: write it into the URL, PGPASSWORD or ~/.pgpass",
  ],
  [/^SASL: /, "it does not prove that it knows the password: check host and port"],
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
