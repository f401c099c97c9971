import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { outputOf } from "../programs.ts";

/** Debootstrap and the installation of Debian's packages take a minute or two each. */
const LONG_MS = 600_000;

/**
 * A fresh Debian 13 in a folder, with a network of its own that has only loopback. systemd and
 * certbot are stand-ins there.
 */
export async function freshDebian() {
  const folder = mkdtempSync(join(tmpdir(), "handtools-debian-"));
  const root = join(folder, "root");
  const cwd = folder;
  const environment = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: "C.UTF-8" };
  const run = (command: readonly string[], stdin = "") =>
    outputOf(command, { cwd, stdin, environment, timeout: LONG_MS });
  const sites = await run(["apt-get", "indextargets", "--format", "$(SITE)"]);
  const mirror = sites.split("\n").find((site) => !site.includes("security")) ?? "";
  await run(["debootstrap", "--variant=minbase", "trixie", root, mirror]);
  const write = (path: string, text: string, mode = 0o755) =>
    writeFileSync(join(root, path), text, { mode });
  write("etc/hosts", "127.0.0.1 localhost tools.example.com\n");
  write("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n");
  write("usr/local/bin/systemctl", SYSTEMCTL);
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) copyFileSync(npmrc, join(root, "root/.npmrc"));
  copyFileSync("/etc/resolv.conf", join(root, "etc/resolv.conf"));
  copyFileSync("/etc/ssl/certs/ca-certificates.crt", join(root, "root/mirrors.pem"));
  write("root/sign-up.js", await bundled("sign-up.ts"));
  write("root/listmonk.js", await bundled("listmonk.ts"));
  await makeAuthority(run, root);
  write("usr/local/bin/certbot", CERTBOT);

  // It holds the network and the mounts for all that runs there, and reaps what ends.
  const namespaces = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child"];
  const holder = Bun.spawn([...namespaces, "bash", "-c", "while sleep 1; do :; done"], {
    env: environment,
  });
  const children = await waitFor(() => run(["pgrep", "-P", String(holder.pid)]).catch(() => ""));
  const pid = children.trim();
  const mounted = ["nsenter", `--target=${pid}`, "--mount", "--pid"];
  const inside = [...mounted, "--net"];
  await run([...inside, "mount", "-t", "proc", "proc", join(root, "proc")]);
  await run([...inside, "mount", "--rbind", "/dev", join(root, "dev")]);
  await run([...inside, "ip", "link", "set", "lo", "up"]);
  const shell = ["chroot", root, "bash", "-euo", "pipefail"];
  // Nothing of this machine's settings, such as those that npm hands to its scripts.
  const settings = [
    "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME=/root",
    "LC_ALL=C.UTF-8",
  ];
  const environmentOf = ["env", "-i", ...settings, "DEBIAN_FRONTEND=noninteractive"];
  const registry = (await run(["npm", "config", "get", "registry"])).trim();
  const alone = (commands: string) =>
    run([...inside, ...environmentOf, ...shell, "-c", `cd /root\n${commands}`]);
  return {
    home: join(root, "root"),
    /** Runs commands in the machine's own network. */
    online: (commands: string) =>
      run([
        ...mounted,
        ...environmentOf,
        `NPM_CONFIG_REGISTRY=${registry}`,
        "NPM_CONFIG_CAFILE=/root/mirrors.pem",
        "NODE_EXTRA_CA_CERTS=/root/mirrors.pem",
        ...shell,
        "-c",
        `cd /root\n${commands}`,
      ]),
    /** Runs commands where there is only loopback. */
    alone,
    /** What the installation of the packages starts on a real machine, and listmonk. */
    startServices: async () => {
      await alone("update-ca-certificates; systemctl start postgresql; systemctl start nginx");
      await alone(`${BUN} listmonk.js > listmonk.log 2>&1 & sleep 1`);
    },
    signUp: async (email: string) => {
      await alone("curl -fsS --retry 10 --retry-connrefused http://127.0.0.1:3000/readyz");
      const out = await alone(`NODE_EXTRA_CA_CERTS=/root/ca.pem ${BUN} sign-up.js ${email}`);
      return out.trim();
    },
    /** Packs the installed package again under another version. */
    pack: (packed: string, version: string) =>
      alone(
        `tar xzf ${packed} && sed -i 's/"version": "[^"]*"/"version": "${version}"/' package/package.json && tar czf handtools-${version}.tgz package`,
      ),
    async [Symbol.asyncDispose]() {
      holder.kill("SIGKILL");
      await holder.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const BUN = "/opt/handtools/node_modules/.bin/bun";

async function bundled(name: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, name)],
    target: "bun",
  });
  return (await outputs[0]?.text()) ?? "";
}

async function waitFor(ask: () => Promise<string>): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask();
    if (answer !== "") return answer;
    await Bun.sleep(50);
  }
  throw new Error("the network of its own did not come up");
}

/** An authority, and the certificate that it gives the site. */
async function makeAuthority(run: (command: readonly string[]) => Promise<string>, root: string) {
  const at = (path: string) => join(root, "root", path);
  const request = ["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  await run([
    ...request,
    "-x509",
    "-subj",
    "/CN=test authority",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
  ]);
  await run([
    ...[
      ...request,
      "-x509",
      "-subj",
      "/CN=tools.example.com",
      "-CA",
      at("ca.pem"),
      "-CAkey",
      at("ca.key"),
    ],
    ...[
      "-addext",
      "subjectAltName=DNS:tools.example.com",
      "-addext",
      "basicConstraints=critical,CA:FALSE",
    ],
    ...["-keyout", at("site.key"), "-out", at("site.pem")],
  ]);
  await run(["mkdir", "-p", join(root, "usr/local/share/ca-certificates")]);
  copyFileSync(at("ca.pem"), join(root, "usr/local/share/ca-certificates/test.crt"));
}

/** Stands in for certbot: it asks nginx for the proof's path, as Let's Encrypt does. */
const CERTBOT = `#!/bin/bash
set -eu
[ "$*" = "certonly --webroot -w /var/www/html -d tools.example.com --deploy-hook systemctl reload nginx" ]
mkdir -p /var/www/html/.well-known/acme-challenge
echo proof > /var/www/html/.well-known/acme-challenge/token
[ "$(curl -fsS http://tools.example.com/.well-known/acme-challenge/token)" = proof ]
mkdir -p /etc/letsencrypt/live/tools.example.com
cp /root/site.pem /etc/letsencrypt/live/tools.example.com/fullchain.pem
cp /root/site.key /etc/letsencrypt/live/tools.example.com/privkey.pem
`;

/** Stands in for systemd: it starts what the unit's ExecStart says, as a user without rights. */
const SYSTEMCTL = `#!/bin/bash
set -eu
[ "$1" = enable ] && shift
action=\${1#--now} unit=\${2:-$1}
case "$unit" in
  # What goes on keeps no output open.
  postgresql) exec pg_ctlcluster "$(ls /etc/postgresql)" main "$action" > /var/log/pg.log 2>&1 ;;
  nginx) [ "$action" = start ] && exec nginx > /dev/null 2>&1; exec nginx -s "$action" ;;
esac
service=/etc/systemd/system/$unit.service
stop() {
  [ -e /run/$unit.pid ] || return 0
  kill "$(cat /run/$unit.pid)"
  while kill -0 "$(cat /run/$unit.pid)" 2> /dev/null; do sleep 0.1; done
  rm /run/$unit.pid
}
start() {
  id "$unit" > /dev/null 2>&1 || useradd --system "$unit"
  install -d -o "$unit" -m 700 "/var/lib/$unit"
  set -a
  $(sed -n 's/^Environment=/export /p' "$service" | sed 's|%S|/var/lib|g')
  . "$(sed -n 's/^EnvironmentFile=//p' "$service")"
  set +a
  cd "/var/lib/$unit"
  setsid setpriv --reuid "$unit" --regid "$unit" --clear-groups \\
    $(sed -n 's/^ExecStart=//p' "$service") > "/var/log/$unit.log" 2>&1 < /dev/null &
  echo $! > /run/$unit.pid
}
case "$action" in
  stop) stop ;;
  start | restart | "") stop; start ;;
esac
`;
