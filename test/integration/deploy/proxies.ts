import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { freePort } from "../../support/free-port.ts";

/** The name for which the files of deploy/ are written. */
export const HOST = "tools.example.com";

/** A proxy of Debian's that runs one of the files of deploy/, on ports of its own. */
export interface RunningProxy {
  readonly http: number;
  readonly https: number;
  /** The certificate that a visitor has to trust. */
  readonly certificate: string;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export interface ProxyKind {
  readonly name: string;
  /** How a body of two megabytes is rejected: nginx has a limit, Caddy leaves it to the server. */
  readonly tooLarge: RegExp;
  /** True when it limits the requests that an address has under way, which Caddy cannot. */
  readonly limits: boolean;
  /** @param upstreams the ports of the servers. */
  readonly start: (...upstreams: readonly number[]) => Promise<RunningProxy>;
}

const FILES = join(import.meta.dir, "../../../deploy");

/** A file of deploy/ in which only names and numbers of this machine are replaced. */
function shipped(name: string, replaced: Readonly<Record<string, string>> = {}): string {
  return Object.entries(replaced).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${name} does not have ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(FILES, name), "utf8"),
  );
}

const STARTS_WITHIN_MS = 30_000;

/** @param files what its folder holds; its command runs there until it is stopped. */
async function run(
  name: string,
  folder: string,
  command: readonly string[],
  ports: Omit<RunningProxy, typeof Symbol.asyncDispose>,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningProxy> {
  const log = join(folder, "log");
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { PATH, ...environment },
    stdio: ["ignore", Bun.file(log), Bun.file(log)],
  });
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`${name}: ${readFileSync(log, "utf8")}`);
    try {
      await fetch(`http://127.0.0.1:${ports.http}`, { redirect: "manual" });
      return await takesTls(ports.https);
    } catch {
      return false;
    }
  };
  const deadline = performance.now() + STARTS_WITHIN_MS;
  while (!(await answers())) {
    if (performance.now() > deadline) throw new Error(`${name} does not answer`);
    await Bun.sleep(5);
  }
  return {
    ...ports,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Caddy listens before it has made its certificate. */
const takesTls = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(
      { port, host: "127.0.0.1", servername: HOST, rejectUnauthorized: false },
      () => {
        socket.destroy();
        resolve(true);
      },
    );
    socket.once("error", () => resolve(false));
  });

/** Debian's servers are not on everybody's path. */
export const PATH = `${process.env.PATH ?? ""}:/usr/sbin:/usr/bin`;

export const caddy: ProxyKind = {
  name: "Caddy",
  tooLarge: /"code":"payload_too_large"/,
  limits: false,
  start: async (...upstreams) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-caddy-"));
    const ports = { http: await freePort(), https: await freePort() };
    // No public authority certifies a name of this machine, so Caddy's own does.
    const options = `{
      admin off
      default_bind 127.0.0.1
      http_port ${ports.http}
      https_port ${ports.https}
      local_certs
      skip_install_trust
    }\n`;
    // As Debian's Caddy needs it.
    const site = shipped("Caddyfile", { "# buffer_requests": "buffer_requests" });
    writeFileSync(join(folder, "Caddyfile"), options + site);
    return await run(
      "Caddy",
      folder,
      ["caddy", "run", "--config", "Caddyfile"],
      { ...ports, certificate: join(folder, "caddy/pki/authorities/local/root.crt") },
      {
        UPSTREAM: upstreams.map((port) => `127.0.0.1:${port}`).join(" "),
        XDG_DATA_HOME: folder,
        HOME: folder,
      },
    );
  },
};

export const nginx: ProxyKind = {
  name: "nginx",
  tooLarge: /<h1>413 Request Entity Too Large<\/h1>/,
  limits: true,
  start: async (...upstreams) => {
    const folder = mkdtempSync(join(tmpdir(), "handtools-nginx-"));
    const ports = { http: await freePort(), https: await freePort() };
    const certificate = join(folder, "fullchain.pem");
    const site = shipped("nginx.conf", {
      "listen [::]:80;": "",
      "listen [::]:443 ssl http2;": "",
      "listen 80;": `listen 127.0.0.1:${ports.http};`,
      "listen 443 ssl http2;": `listen 127.0.0.1:${ports.https} ssl http2;`,
      "server 127.0.0.1:3000": upstreams
        .map((port) => `server 127.0.0.1:${port}`)
        .join(" max_fails=0; "),
      [`/etc/letsencrypt/live/${HOST}`]: folder,
    });
    // As other sites of the machine may want it.
    const around = `
      daemon off;
      ${process.getuid?.() === 0 ? "user root;" : ""}
      pid nginx.pid;
      error_log stderr;
      events {}
      http {
        access_log off;
        client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi; scgi_temp_path scgi;
        gzip on;
        gzip_min_length 1;
        gzip_proxied any;
        gzip_types application/json text/plain application/health+json;
        include site.conf;
      }`;
    certify(certificate, join(folder, "privkey.pem"));
    mkdirSync(join(folder, "body"));
    writeFileSync(join(folder, "site.conf"), site);
    writeFileSync(join(folder, "nginx.conf"), around);
    const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"];
    return await run("nginx", folder, command, { ...ports, certificate });
  },
};

/** Makes a certificate for the site that nobody but its holder has signed. */
function certify(certificate: string, key: string): void {
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-nodes", "-days", "2", "-subj", `/CN=${HOST}`],
    ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    ...["-addext", `subjectAltName=DNS:${HOST}`, "-out", certificate, "-keyout", key],
  ]);
  if (!made.success) throw new Error(`openssl failed: ${made.stderr}`);
}
