import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, expectSame } from "../runner.ts";

const root = join(import.meta.dir, "../../..");
const UNITS = ["handtools.service", "handtools@.service"];
const fileOf = (unit: string): string => join(root, "deploy", unit);
const textOf = (unit: string): string => readFileSync(fileOf(unit), "utf8");

export const unitChecks: readonly Check[] = [
  ...UNITS.map((unit) => ({
    title: `systemd has nothing to say about ${unit}`,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), "handtools-unit-"));
      const path = join(folder, unit);
      // The test is not about the installed program.
      writeFileSync(path, textOf(unit).replace(/^(ExecStart=)\S+/m, "$1/bin/true"));
      const said = saidBy("systemd-analyze", "verify", path);
      rmSync(folder, { recursive: true });
      expectSame(said, [0, ""]);
    },
  })),
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

export const alertCheck: Check = {
  title: "promtool accepts the rules of alerts.yml",
  run: async () => expectSame(saidBy("promtool", "check", "rules", fileOf("alerts.yml"))[0], 0),
};

function saidBy(...command: readonly string[]): [exitCode: number, said: string] {
  const environment = { PATH: process.env.PATH ?? "" };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { env: environment });
  return [exitCode, `${stdout}${stderr}`];
}
