import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { handtools } from "../../server/support/program.ts";
import { installAtOnce } from "../../support/installs-at-once.ts";
import type { Check } from "../runner.ts";
import type { Workspace } from "./cases.ts";

const ROUNDS = 200;

/** Each install is a process, as where a script adds several servers beside another. */
export const atOnceChecks = (workspace: Workspace): Check[] => [
  {
    title: `${ROUNDS} rounds of 12 installs at once, in JSON and in TOML, lose no server`,
    run: async () => {
      const program = await handtools();
      const folder = join(workspace.home, "at-once");
      mkdirSync(folder);
      const install = (argv: readonly string[]) =>
        Bun.spawn([...program, ...argv], { stdout: "ignore" }).exited;
      for (let round = 0; round < ROUNDS; round += 1) await installAtOnce(folder, round, install);
    },
  },
];
