import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { NOBODY } from "../../server/support/databases.ts";
import { freePort } from "../../support/free-port.ts";
import { waitUntil } from "../faults/outage.ts";
import { SYNCED } from "../faults/site.ts";
import { outputOf } from "../programs.ts";
import { type Check, expectSame } from "../runner.ts";

const root = join(import.meta.dir, "../../..");
const UNITS = ["handtools.service", "handtools@.service"];
const fileOf = (unit: string): string => join(root, "deploy", unit);
const textOf = (unit: string): string => readFileSync(fileOf(unit), "utf8");
/** Where the units expect the installed package, and Bun in it. */
const INSTALLED = "/opt/handtools";

/** Ten times what systemd calls the exposure of a unit; without hardening it is 96. */
const MAX_EXPOSURE = "12";

export const unitChecks: readonly Check[] = [
  ...UNITS.flatMap((unit) => [
    {
      title: `systemd has nothing to say about ${unit}`,
      run: async () => {
        using folder = temporaryFolder();
        const path = join(folder.path, unit);
        // The test is not about the installed program.
        writeFileSync(path, textOf(unit).replace(/^(ExecStart=)\S+/m, "$1/bin/true"));
        const { exitCode, stdout, stderr } = analyze("verify", path);
        expectSame([exitCode, `${stdout}${stderr}`], [0, ""]);
      },
    },
    {
      title: `systemd calls the exposure of ${unit} at most ${Number(MAX_EXPOSURE) / 10} of 10`,
      run: async () => {
        const limits = ["--offline=true", "--no-pager", `--threshold=${MAX_EXPOSURE}`];
        const { exitCode, stdout } = analyze("security", ...limits, fileOf(unit));
        if (exitCode !== 0) throw new Error(stdout.toString());
      },
    },
  ]),
  {
    title: "both units confine the server in the same way, and wait for its stop",
    run: async () => {
      const [one = "", several] = UNITS.map((unit) => textOf(unit).split("# A user of its own")[1]);
      expectSame(several, one);
      for (const unit of UNITS) {
        const [, drain = "300"] = /\bDRAIN_MS=(\d+)/.exec(textOf(unit)) ?? [];
        const [, stop = "0"] = /^TimeoutStopSec=(\d+)$/m.exec(textOf(unit)) ?? [];
        // Requests in flight have ten seconds, and the end of the log and the database some more.
        expectSame([unit, Number(stop) >= Number(drain) / 1_000 + 15], [unit, true]);
      }
    },
  },
];

/**
 * The unit's command where nothing but its folder can be written, as a user without any right. What
 * else the unit forbids, its system calls among it, only a running systemd could enforce.
 */
export const confinedCheck: Check = {
  title: "the unit's command works as nobody on a read-only disk, with a folder of its own",
  run: async () => {
    using folder = temporaryFolder();
    const state = join(folder.path, "state");
    mkdirSync(state, { mode: 0o700 });
    chownSync(state, NOBODY, NOBODY);
    const installed = await installedPackage(folder.path);
    const [, command = ""] = /^ExecStart=(.*)$/m.exec(textOf("handtools.service")) ?? [];
    const confined = [
      ...["set -e", `mount --bind ${state} ${state}`, "mount -o remount,bind,ro /", `cd ${state}`],
      "if touch /etc/handtools-was-here 2>/dev/null; then exit 99; fi",
      `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all ${command.replaceAll(INSTALLED, installed)}`,
    ];
    const port = await freePort();
    const secret = "a-secret-of-this-check-that-is-long-enough";
    const child = Bun.spawn(["unshare", "--mount", "sh", "-c", confined.join("\n")], {
      env: {
        PATH: process.env.PATH ?? "",
        PORT: String(port),
        DATABASE_URL: `file:${state}/handtools.sqlite`,
        SIGNUP_INGEST_SECRET: secret,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const base = `http://127.0.0.1:${port}`;
      const isReady = () =>
        fetch(`${base}/readyz`)
          .then(({ ok }) => ok)
          .catch(() => false);
      await waitUntil("the server", isReady);
      const headers = {
        "Content-Type": "application/json",
        Authorization: `Bearer ${secret}`,
      };
      const body = JSON.stringify({ email: "ada@site.test", name: "Ada L", ctaSource: "hero" });
      const signup = { method: "POST", headers, body };
      const answer = await fetch(`${base}/api/beta-signup`, signup);
      expectSame(`${answer.status} ${await answer.text()}`, SYNCED);
      const { mode, uid } = statSync(join(state, "handtools.sqlite"));
      expectSame([mode & 0o777, uid], [0o600, NOBODY]);
      child.kill("SIGTERM");
      expectSame(await child.exited, 0);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
  },
};

/** The package and Bun in a folder of their own, as deploy/README.md installs them. */
async function installedPackage(parent: string): Promise<string> {
  const folder = join(parent, "handtools");
  const packed = await outputOf(["npm", "pack", "--pack-destination", parent], { cwd: root });
  const tarball = join(parent, packed.trim().split("\n").at(-1) ?? "");
  const install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", folder];
  await outputOf([...install, tarball, `bun@${packageJson.devDependencies.bun}`], { cwd: parent });
  return folder;
}

const analyze = (...flags: readonly string[]) =>
  Bun.spawnSync(["systemd-analyze", ...flags], { env: { PATH: process.env.PATH ?? "" } });

/** A folder that everybody may enter, until it is disposed of. */
function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "handtools-unit-"));
  chmodSync(path, 0o755);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}
