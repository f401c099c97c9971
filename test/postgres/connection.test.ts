import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../server/signup/store/open-store.ts";
import { NOBODY } from "../server/support/databases.ts";
import { NOW, signup, use } from "../server/support/signup.ts";
import { signupsCommand } from "../server/support/signups-command.ts";
import { openRelay } from "./relay.ts";
import { postgresServer } from "./server.ts";

const PLAIN = expect.stringMatching(
  /^DATABASE_URL: the connection to PostgreSQL at 0\.0\.0\.0:\d+ is not encrypted/,
);

describe("the connection to PostgreSQL", () => {
  const server = postgresServer();
  let admin: Bun.SQL;
  let folder: string;
  beforeAll(async () => {
    admin = new Bun.SQL({ url: server().url("postgres"), max: 1 });
    const [row] = await admin.unsafe("SHOW data_directory");
    folder = String(row.data_directory);
  });
  afterAll(async () => {
    await admin.close();
  });

  /** The server's URL; a host of 0.0.0.0 leads to this machine, and does not say so. */
  const url = (host: string, parameters = "") =>
    server().url("postgres").replace("127.0.0.1", host) + parameters;

  /** True when the store's connections are encrypted, as the server sees them. */
  const encryption = async () => {
    const rows = await admin.unsafe(
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'handtools'",
    );
    return [...new Set(rows.map((row: { ssl: boolean }) => row.ssl))];
  };

  const connect = async (databaseUrl: string) => {
    const store = await openStore(databaseUrl);
    expect(await store.record(signup(`${crypto.randomUUID()}@x.test`), undefined, NOW)).toBe(true);
    const found = { encrypted: await encryption(), warnings: store.warnings };
    await store.close();
    return found;
  };

  test.each([
    ["user and host", () => `postgres://postgres:pw@/postgres?host=${join(folder, "..")}`],
    ["user without password", () => `postgres://postgres@/postgres?host=${join(folder, "..")}`],
    [
      "an encoded folder",
      () => `postgres://postgres@${encodeURIComponent(join(folder, ".."))}/postgres`,
    ],
  ])("through a Unix socket: %s", async (_, socketUrl) => {
    const { port } = new URL(server().url("postgres"));
    const separator = socketUrl().includes("?") ? "&" : "?";
    expect(await connect(`${socketUrl()}${separator}port=${port}`)).toEqual({
      encrypted: [false],
      warnings: [],
    });
  });

  test("an encoded password, user and database are decoded", async () => {
    await admin.unsafe(`CREATE ROLE "a@b" LOGIN SUPERUSER PASSWORD 'p/w%'`);
    await admin.unsafe(`CREATE DATABASE "d b"`);
    const encoded = url("127.0.0.1").replace("postgres@", "a%40b:p%2Fw%25@");
    const store = await openStore(encoded.replace(/\/postgres$/, "/d%20b"));
    expect(await store.record(signup("a@x.test"), use("n"), NOW)).toBe(true);
    await store.close();
  });

  test("a password that the URL lacks is looked for as psql does", async () => {
    await admin.unsafe("CREATE ROLE locked LOGIN SUPERUSER PASSWORD 'secret'");
    const rules = join(folder, "pg_hba.conf");
    const trusting = readFileSync(rules);
    const passwords = join(folder, "passwords");
    writeFileSync(passwords, "*:*:*:locked:secret\n", { mode: 0o600 });
    const as = async (user: string, environment = {}) => {
      Object.assign(process.env, environment);
      const store = await openStore(url("127.0.0.1").replace("postgres@", `${user}@`));
      for (const name of Object.keys(environment)) delete process.env[name];
      await store.close();
    };
    for (const method of ["scram-sha-256", "password"]) {
      writeFileSync(rules, `host all locked all ${method}\n${trusting}`);
      await admin.unsafe("SELECT pg_reload_conf()");
      await Bun.sleep(300);
      await expect(as("locked")).rejects.toThrow("it asks for a password: write it into the URL");
      await as("locked:secret");
      await as("locked", { PGPASSWORD: "secret" });
      await as("locked", { PGPASSFILE: passwords });
    }
    const databaseUrl = url("127.0.0.1").replace("postgres@", "locked@");
    const environment = { DATABASE_URL: databaseUrl, PGPASSFILE: passwords };
    expect(await signupsCommand(["count"], environment)).toMatchObject({ exitCode: 0, error: "" });
  });

  test.each<[string, string, string, readonly string[]]>([
    ["a remote host without TLS", "0.0.0.0", "", [PLAIN]],
    ["a remote host that is asked to do without", "0.0.0.0", "?sslmode=disable", [PLAIN]],
    ["this machine", "127.0.0.1", "", []],
  ])("%s is not encrypted", async (_, host, parameters, warnings) => {
    expect(await connect(url(host, parameters))).toEqual({ encrypted: [false], warnings });
  });

  test("a server that is silent stops the start after its connect_timeout", async () => {
    using relay = await openRelay(server().url("postgres"));
    relay.begin();
    const start = performance.now();
    await expect(openStore(`${relay.url}?connect_timeout=1`)).rejects.toThrow(
      "did not answer in time",
    );
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  test.each(["require", "unheard-of"])("sslmode=%s stops the start without TLS", async (mode) => {
    await expect(openStore(url("127.0.0.1", `?sslmode=${mode}`))).rejects.toThrow("it has no TLS");
  });

  test.each([
    ["says goodbye at once", "", (socket: Bun.Socket) => void socket.end()],
    [
      "speaks another language",
      "?sslmode=require",
      (socket: Bun.Socket) => void socket.write("SSH-2\n"),
    ],
  ])("a program that %s is no PostgreSQL", async (_, parameters, open) => {
    using other = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { open, data: () => {} } });
    const address = `postgres://me@127.0.0.1:${other.port}/x${parameters}`;
    await expect(openStore(address)).rejects.toThrow(
      "it closed the connection: check host and port",
    );
  });

  describe("with TLS", () => {
    beforeAll(async () => {
      for (const name of ["server", "other"]) {
        const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
        const made = Bun.spawnSync([
          ...["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
          ...["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:0.0.0.0"],
          ...["-keyout", key, "-out", certificate],
        ]);
        expect(made.exitCode).toBe(0);
        if (process.getuid?.() === 0)
          for (const file of [key, certificate]) chownSync(file, NOBODY, NOBODY);
      }
      await admin.unsafe("ALTER SYSTEM SET ssl = on");
      await admin.unsafe("SELECT pg_reload_conf()");
      await Bun.sleep(300);
    }, 30_000);

    test.each<[string, string, () => string, boolean]>([
      ["a remote host", "0.0.0.0", () => "", true],
      ["a remote host that is asked to do without", "0.0.0.0", () => "?sslmode=disable", false],
      ["this machine", "127.0.0.1", () => "", false],
      ["this machine when asked", "127.0.0.1", () => "?sslmode=require", true],
      [
        "a host whose certificate is known",
        "0.0.0.0",
        () => `?sslmode=verify-full&sslrootcert=${join(folder, "server.crt")}`,
        true,
      ],
      [
        "a host whose certificate is of a known authority, and for another name",
        "127.0.0.1",
        () => `?sslmode=verify-ca&sslrootcert=${join(folder, "server.crt")}`,
        true,
      ],
    ])("%s: encrypted %p", async (_, host, parameters, encrypted) => {
      const { warnings, ...found } = await connect(url(host, parameters()));
      expect(found).toEqual({ encrypted: [encrypted] });
      expect(warnings).toEqual(host === "0.0.0.0" && !encrypted ? [PLAIN] : []);
    });

    test.each<[string, string, () => string]>([
      ["that nobody vouches for", "0.0.0.0", () => "?sslmode=verify-full"],
      ["that the system does not know", "0.0.0.0", () => "?sslrootcert=system"],
      [
        "for another name",
        "127.0.0.1",
        () => `?sslmode=verify-full&sslrootcert=${join(folder, "server.crt")}`,
      ],
      [
        "of another authority, whatever its name",
        "0.0.0.0",
        () => `?sslmode=require&sslrootcert=${join(folder, "other.crt")}`,
      ],
    ])("a certificate %s stops the start when it is verified", async (_, host, parameters) => {
      await expect(openStore(url(host, parameters()))).rejects.toThrow("its certificate is ");
    });
  });
});
