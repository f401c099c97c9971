import { Database } from "bun:sqlite";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgres, startPostgres } from "../../server/support/databases.ts";
import { startFakeListmonk, TOKEN, USER } from "../../server/support/fake-listmonk/server.ts";
import { fakeSiteverify, passing, type Reply } from "../../server/support/fake-siteverify.ts";
import { SECRETS } from "./site.ts";

interface Line {
  readonly near: net.Socket;
  /** Nothing passes any more in either direction, not even that the other end has closed. */
  isCut: boolean;
}

/**
 * A relay on this machine in front of another server, which fails in the ways of a network.
 *
 * @param target the neighbour's URL, with its port.
 */
export async function openRelay(target: string) {
  const lines = new Set<Line>();
  let isSilent = false;
  let delayMs = 0;

  const server = net.createServer((near) => {
    const far = net.connect(Number(new URL(target).port), "127.0.0.1");
    const line: Line = { near, isCut: isSilent };
    lines.add(line);
    const pass = (run: () => void) => {
      if (!line.isCut) run();
    };
    const passLate = (run: () => void) => {
      if (delayMs > 0) setTimeout(() => pass(run), delayMs);
      else pass(run);
    };
    near.on("data", (bytes) => pass(() => far.write(bytes)));
    far.on("data", (bytes) => passLate(() => near.write(bytes)));
    far.on("close", () => passLate(() => near.destroy()));
    near.on("close", () => {
      lines.delete(line);
      far.destroy();
    });
    // A broken socket is closed after it, which is enough here.
    for (const socket of [near, far]) socket.on("error", () => {});
  });
  const hangUp = () => {
    server.close();
    for (const { near } of lines) near.destroy();
  };
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const url = new URL(target);
  url.port = String(portOf(server));

  return {
    /** The other server's URL by way of this relay. */
    url: url.href,
    /** Nobody listens any more, and who was connected is cut off. */
    refuse: hangUp,
    /** Every connection, old or new, is open and says nothing: the machine behind it is dead. */
    silence: () => {
      isSilent = true;
      for (const line of lines) line.isCut = true;
    },
    /** Every answer comes this late. */
    delay: (ms: number) => {
      delayMs = ms;
    },
    /** New connections are as they were. Those that have fallen silent stay so. */
    restore: async () => {
      isSilent = false;
      delayMs = 0;
      if (!server.listening) await listen(Number(url.port));
    },
    [Symbol.dispose]: hangUp,
  };
}

function portOf(server: net.Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the relay has no port");
  return address.port;
}

/** The stand-in for listmonk behind a relay. */
export async function openListmonk() {
  const listmonk = startFakeListmonk();
  const { subscribers, list } = listmonk;
  const relay = await openRelay(listmonk.url);
  return {
    relay,
    faults: listmonk.faults,
    /** The variables of a server that uses it. */
    environment: {
      LISTMONK_URL: relay.url,
      LISTMONK_API_USER: USER,
      LISTMONK_API_TOKEN: TOKEN,
      LISTMONK_LIST_ID: String(listmonk.list.id),
    },
    /** From now on its list wants people to confirm. */
    wantConfirmation: () => {
      subscribers.lists.set(list.id, { ...list, optin: "double" });
    },
    /** Somebody of another list. */
    addKnown: (email: string) => {
      const fields = { email, name: "Old Name", status: "enabled", attribs: {} };
      subscribers.add({ ...fields, lists: [], preconfirm: false });
    },
    /** It makes subscribers, and is killed before it mails them. */
    dieBeforeMail: () => {
      listmonk.faults.set("POST /api/subscribers", async (request) => {
        const { email } = JSON.parse(await request.text());
        const fields = { email, name: "New", status: "enabled", attribs: {} };
        const row = subscribers.add({ ...fields, lists: [list.id], preconfirm: true });
        row.subscriptions.set(list.id, "unconfirmed");
        return new Response("killed", { status: 502 });
      });
    },
    /** The addresses of its mails to confirm. */
    mails: () => subscribers.mails,
    /** The addresses that it has. */
    subscribers: () => [...subscribers.rows.values()].map(({ email }) => email),
    /** The most look-ups that were under way at a time. */
    mostLookUps: () => listmonk.state.mostLookUps,
    [Symbol.asyncDispose]: async () => {
      relay[Symbol.dispose]();
      await listmonk[Symbol.asyncDispose]();
    },
  };
}

export type Listmonk = Awaited<ReturnType<typeof openListmonk>>;

/** The stand-in takes a reply for each request; there will not be so many. */
const ENOUGH = 100_000;

/** The stand-in for Turnstile's siteverify behind a relay. It lets everybody in. */
export async function openSiteverify() {
  let reply: Reply = passing();
  const replies = Array<Reply>(ENOUGH).fill((form) => reply(form));
  const siteverify = fakeSiteverify(...replies);
  const relay = await openRelay(siteverify.url);
  return {
    relay,
    /** From now on it replies with this. */
    reply: (next: Reply) => {
      reply = next;
    },
    /** The variables of a server that uses it. */
    environment: {
      TURNSTILE_SITE_KEY: "a-site-key",
      TURNSTILE_SECRET_KEY: SECRETS.turnstile,
      TURNSTILE_VERIFY_URL: relay.url,
    },
    [Symbol.dispose]: () => {
      relay[Symbol.dispose]();
      siteverify[Symbol.dispose]();
    },
  };
}

export type Siteverify = Awaited<ReturnType<typeof openSiteverify>>;

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

/** The place of a SQLite file in a folder of its own, or in the one that is given. */
export function sqliteFile(given?: string) {
  const folder = given ?? mkdtempSync(join(tmpdir(), "handtools-faults-"));
  const path = join(folder, "signups.sqlite");
  return {
    folder,
    path,
    url: `file:${path}`,
    /** The stored rows, read beside the server. */
    rows: async (): Promise<readonly unknown[]> => {
      using file = new Database(path);
      return file.query("SELECT * FROM signups").all();
    },
    [Symbol.dispose]: () => {
      if (given === undefined) rmSync(folder, { recursive: true });
    },
  };
}
