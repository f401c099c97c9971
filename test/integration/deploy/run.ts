import { isAvailable } from "../../support/programs.ts";
import { type Check, runChecks } from "../runner.ts";
import { caddy, nginx, PATH } from "./proxies.ts";
import { checksOf } from "./site.ts";
import { alertCheck, unitChecks } from "./unit.ts";

/*
 * Runs the files of deploy/ as far as one machine allows: `npm run test:integration deploy`. Debian's caddy and
 * nginx stand before the real server, and systemd judges the unit. What is not installed is skipped,
 * unless REQUIRE_PROGRAMS=1; a word that is given picks the checks with it in their title.
 */

const [word = ""] = process.argv.slice(2);

const checks = [
  ...needing("Caddy and curl", areHere("caddy", "curl"), checksOf(caddy)),
  ...needing("nginx and curl", areHere("nginx", "curl", "openssl"), checksOf(nginx)),
  ...needing("systemd-analyze", areHere("systemd-analyze"), unitChecks),
  ...needing("promtool", areHere("promtool"), [alertCheck]),
];
await runChecks(checks.filter(({ title }) => title.includes(word)));

function needing(what: string, isThere: boolean, checks: readonly Check[]): readonly Check[] {
  if (isThere) return checks;
  process.stdout.write(`skip  ${checks.length} checks, which need ${what}\n`);
  return [];
}

function areHere(...programs: readonly string[]): boolean {
  return isAvailable(programs.every((program) => Bun.which(program, { PATH }) !== null));
}
