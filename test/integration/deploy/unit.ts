import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check, expectSame } from "../runner.ts";

const root = join(import.meta.dir, "../../..");
const UNITS = ["handtools.service", "handtools@.service"];
const fileOf = (unit: string): string => join(root, "deploy", unit);
const textOf = (unit: string): string => readFileSync(fileOf(unit), "utf8");

/** Ten times what systemd calls the exposure of a unit; without hardening it is 96. */
const MAX_EXPOSURE = "12";

export const unitChecks: readonly Check[] = [
  ...UNITS.flatMap((unit) => [
    {
      title: `systemd has nothing to say about ${unit}`,
      run: async () => {
        const folder = mkdtempSync(join(tmpdir(), "handtools-unit-"));
        const path = join(folder, unit);
        // The test is not about the installed program.
        writeFileSync(path, textOf(unit).replace(/^(ExecStart=)\S+/m, "$1/bin/true"));
        const { exitCode, stdout, stderr } = analyze("verify", path);
        rmSync(folder, { recursive: true });
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

const analyze = (...flags: readonly string[]) =>
  Bun.spawnSync(["systemd-analyze", ...flags], { env: { PATH: process.env.PATH ?? "" } });
