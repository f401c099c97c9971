import type { SQL } from "bun";
import { hostInUrl, isLoopback } from "../../../src/url.ts";
import { readConfigFile } from "../../config.ts";

/** The place of a PostgreSQL server, and how to connect to it. */
export interface PostgresAddress {
  readonly options: (sslMode: SslMode) => SQL.Options;
  /** Host and port, or the socket's folder, for messages. */
  readonly title: string;
  readonly isRemote: boolean;
  readonly sslMode: SslMode;
}

/** As in PostgreSQL's own programs. "prefer": TLS if the server has it. */
type SslMode = (typeof SSL_MODES)[number];

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

/**
 * Reads a URL as PostgreSQL's own programs do: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, where
 * `?host=/folder` names a Unix socket.
 *
 * @returns or what is wrong with it, without any part of it.
 */
export function parsePostgresUrl(text: string): PostgresAddress | string {
  const [all, authority = "", rest = ""] = /^postgres(?:ql)?:\/\/([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (all === undefined) return WANTED;
  // Otherwise a part of the password would be taken for a host, a port or a database.
  if (/[@#]/.test(rest)) return ENCODE;
  const { userInfo, host } = splitAuthority(authority);
  const url = URL.parse(`postgres://${userInfo}${host === "" ? "localhost" : host}${rest}`);
  if (!url) return WANTED;
  try {
    return addressOf(url);
  } catch (error) {
    if (error instanceof URIError) return ENCODE;
    if (error instanceof UrlProblem) return error.message;
    throw error;
  }
}

const WANTED = "must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE";

const ENCODE =
  "must be percent-encoded: in a user, a password or a name write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25";

class UrlProblem extends Error {}

function splitAuthority(authority: string): { userInfo: string; host: string } {
  const at = authority.lastIndexOf("@") + 1;
  return { userInfo: authority.slice(0, at), host: authority.slice(at) };
}

const PARAMETERS = ["host", "port", "sslmode", "sslrootcert", "application_name"];

function addressOf(url: URL): PostgresAddress {
  const { searchParams } = url;
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    throw new UrlProblem(`takes these parameters only: ${PARAMETERS.join(", ")}`);
  }
  const host = searchParams.get("host") ?? decodeURIComponent(url.hostname);
  const port = searchParams.get("port") ?? (url.port || "5432");
  if (!/^\d{1,5}$/.test(port)) throw new UrlProblem(WANTED);
  const isSocket = host.startsWith("/");
  const server = isSocket ? "localhost" : hostInUrl(host);
  const user = decodeURIComponent(url.username);
  const login =
    user && `${encodeURIComponent(user)}:${encodeURIComponent(decodeURIComponent(url.password))}@`;
  const database = encodeURIComponent(decodeURIComponent(url.pathname.slice(1)));
  // The driver reads what a URL leaves out from the environment, so the URL names everything.
  const complete = URL.parse(`postgres://${login}${server}:${port}/${database}`);
  if (!complete) throw new UrlProblem(WANTED);
  const isRemote = !isSocket && !isLoopback(complete.hostname);
  const asked = searchParams.get("sslmode") ?? (isRemote ? "prefer" : "disable");
  const sslMode = SSL_MODES.find((known) => known === asked);
  if (!sslMode) throw new UrlProblem(`sslmode must be one of ${SSL_MODES.join(", ")}`);
  const ca = rootCertificate(searchParams.get("sslrootcert"));
  return {
    title: isSocket ? host : `${server}:${port}`,
    isRemote,
    sslMode,
    options: (mode) => ({
      url: `${complete.href}?sslmode=${mode}`,
      connection: { application_name: searchParams.get("application_name") ?? "handtools" },
      ...(isSocket && { path: `${host}/.s.PGSQL.${port}` }),
      ...(ca !== undefined && { tls: { ca } }),
    }),
  };
}

function rootCertificate(file: string | null): string | undefined {
  if (file === null) return undefined;
  try {
    return readConfigFile(file);
  } catch {
    throw new UrlProblem("sslrootcert must be a file that can be read, of at most 1 MiB");
  }
}
