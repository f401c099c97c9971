import { readFileSync } from "node:fs";
import { startPostgres } from "../../server/signup/postgres-server.ts";
import { postgres } from "../../server/signup/store-database.ts";

export type Postgres = Awaited<ReturnType<typeof openPostgres>>;

/** A PostgreSQL server with an empty database, and what can happen to it. */
export async function openPostgres() {
  const server = await startPostgres();
  const database = await postgres(() => server).create();
  let frozen: readonly number[] = [];

  /** The one that starts the others, and the others. */
  const processes = async () => {
    const backends = await database.query("SELECT pid FROM pg_stat_activity");
    const pids = backends.map((row) => Number(Object(row).pid));
    return { first: parentOf(Number(pids[0])), others: pids };
  };
  const thaw = () => {
    for (const pid of frozen) signalIfThere(pid, "SIGCONT");
    frozen = [];
  };
  return {
    url: database.url,
    rows: () => database.query("SELECT email FROM handtools.signups"),
    /** Connections are cut, and their transactions rolled back. */
    stop: server.halt,
    /** The same without order, as in a crash. */
    kill: async () => {
      const { first } = await processes();
      process.kill(first, "SIGQUIT");
      await server.halt();
    },
    start: server.resume,
    /** The machine is there, and no process on it does anything. */
    freeze: async () => {
      const { first, others } = await processes();
      frozen = [first, ...others];
      for (const pid of frozen) signalIfThere(pid, "SIGSTOP");
    },
    thaw,
    [Symbol.asyncDispose]: async () => {
      thaw();
      await server.end();
    },
  };
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
