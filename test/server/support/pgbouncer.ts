import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port.ts";
import { NOBODY, untilItAnswers } from "./databases.ts";

/** The path of the program in Debian's package "pgbouncer". */
const PROGRAM = "/usr/sbin/pgbouncer";

export type PoolMode = "session" | "transaction" | "statement";

const STARTS_WITHIN_MS = 10_000;

/**
 * Puts a pooler before a PostgreSQL server of this machine, with the settings of the package.
 *
 * @param serverUrl the URL of a database of the server; the pooler serves all of them.
 */
export async function startPgbouncer(serverUrl: string, mode: PoolMode) {
  const folder = mkdtempSync(join(tmpdir(), "handtools-pgbouncer-"));
  const asNobody = process.getuid?.() === 0;
  const port = await freePort();
  const server = new URL(serverUrl);
  const users = join(folder, "users.txt");
  writeFileSync(users, '"postgres" ""\n');
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 20
`,
  );
  if (asNobody) for (const path of [folder, users, settings]) chownSync(path, NOBODY, NOBODY);
  const urlOf = (database: string) => {
    const url = new URL(serverUrl);
    url.port = String(port);
    url.pathname = `/${database}`;
    return url.href;
  };
  const pooler = Bun.spawn(
    [
      // The pooler ends with this process, even when that is killed.
      ...["setpriv", "--pdeathsig", "INT"],
      ...(asNobody ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : []),
      ...[PROGRAM, "--quiet", settings],
    ],
    { stdio: ["ignore", "ignore", "ignore"] },
  );
  await untilItAnswers(urlOf("postgres"), STARTS_WITHIN_MS);
  return {
    url: urlOf,
    end: async () => {
      pooler.kill("SIGTERM");
      await pooler.exited;
      rmSync(folder, { recursive: true });
    },
  };
}
