import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN } from "../../server/support/fake-listmonk.ts";
import { isAvailable } from "../../support/programs.ts";
import { outputOf } from "../programs.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";
import { freshDebian } from "./fresh-debian.ts";

/*
 * Runs the commands of docs/self-hosting.md from beginning to end in a fresh Debian:
 * `npm run test:integration self-hosting`. An authority of its own stands in for Let's Encrypt, and a script each for
 * listmonk and systemd. It needs root, debootstrap and a mirror of Debian; without them it is
 * skipped, unless REQUIRE_PROGRAMS=1.
 */

const project = join(import.meta.dir, "../../..");
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
const NEXT_VERSION = `${version}-next`;

/** The blocks for a shell between two headings. */
function commandsOf(heading: string, next: string): string {
  const page = readFileSync(join(project, "docs/self-hosting.md"), "utf8");
  const section = page.slice(page.indexOf(`\n## ${heading}\n`), page.indexOf(next));
  const blocks = Array.from(
    section.matchAll(/^( *)```shell\n(.*?)^ *```$/gms),
    ([, indent, code]) => (code ?? "").replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
  return blocks.join("");
}

const checks: Check[] = [
  {
    title:
      "the page's commands make a site, an upgrade keeps its signups, and a restore brings them back",
    run: async () => {
      await using debian = await freshDebian();
      const [pack = "", ...install] = commandsOf("On your domain", "\n`journalctl").split("\n");
      expectSame(pack.startsWith("npm ci && npm pack && scp"), true);
      const packed = await outputOf(["npm", "pack", "--pack-destination", debian.home], {
        cwd: project,
      });
      expectSame(packed.trim().split("\n").at(-1), `handtools-${version}.tgz`);
      const [names = "", ...rest] = install;
      const site = names.replace(/VERSION=\S+/, `VERSION=${version}`);
      const program = rest.findIndex((line) => line.startsWith("certbot"));
      // Up to here the mirrors are needed; the rest is alone with loopback.
      await debian.online([site, ...rest.slice(0, program)].join("\n"));
      await debian.startServices();
      const log = await debian.alone(
        [site, ...rest.slice(program)].join("\n").replace("=TOKEN", `=${TOKEN}`),
      );
      expectSame(log.includes('{"status":"pass"}'), true);
      expectSame(await debian.signUp("ada@example.org"), '200 {"ok":true,"listmonk":true}');
      expectSame(await debian.alone(COUNT), "1\n");

      await debian.pack(`handtools-${version}.tgz`, NEXT_VERSION);
      const [version1 = "", installNext = "", ...upgrade] = commandsOf(
        "Upgrades",
        "\n## Restore",
      ).split("\n");
      const next = version1.replace(/=.*/, `=${NEXT_VERSION}`);
      await debian.online(`${next}\n${installNext}`);
      await debian.alone([next, ...upgrade].join("\n"));
      expectSame(await debian.alone(COUNT), "1\n");

      expectSame(await debian.signUp("bob@example.org"), '200 {"ok":true,"listmonk":true}');
      expectSame(await debian.alone(COUNT), "2\n");
      const [restore = ""] = commandsOf("Restore", "\n**With SQLite**").split("\n\n");
      await debian.alone(restore);
      expectSame(await debian.alone(COUNT), "1\n");
      expectSame(await debian.signUp("bob@example.org"), '200 {"ok":true,"listmonk":true}');
    },
  },
];

const COUNT =
  "/opt/handtools/node_modules/.bin/handtools signups count --env-file /etc/handtools.env";

const PROGRAMS = ["debootstrap", "ip", "nsenter", "unshare", "openssl"];
const isThere = isAvailable(
  PROGRAMS.every(
    (name) => Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` }) !== null,
  ),
);
/** That needs root, and more than a container's root. */
const mayMount = isThere && Bun.spawnSync(["unshare", "--mount", "true"]).success;
if (mayMount) await runChecks(checks);
else
  process.stdout.write(
    "skip  a fresh Debian, which needs root and debootstrap\n0 passed, 0 failed\n",
  );
