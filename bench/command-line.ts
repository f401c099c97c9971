import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { NODES, nodeOf, programOf } from "./packages.ts";
import { median, type Row } from "./table.ts";

/**
 * Compares with Prettier that prints its version: a program that everybody knows, and no work.
 *
 * @param folder in which the package is installed; input files are written there.
 */
export function startRows(folder: string): Row[] {
  const main = join(folder, "node_modules/handtools/dist/cli/main.js");
  return NODES.flatMap((node) =>
    [mcpConfigContract, mailFilterContract].map(({ command, example_input }) => {
      const input = join(folder, `${command}.json`);
      writeFileSync(input, JSON.stringify(example_input));
      const turn = () => ({
        ours: milliseconds([nodeOf(node), main, command, input]),
        baseline: milliseconds([nodeOf(node), programOf("prettier"), "--version"]),
      });
      for (let round = 0; round < WARM_UPS; round += 1) turn();
      const rounds = Array.from({ length: ROUNDS }, turn);
      return {
        what: `\`handtools ${command}\`, against \`prettier --version\`, by ${node}`,
        ours: `${median(rounds.map(({ ours }) => ours)).toFixed(1)} ms`,
        baseline: `${median(rounds.map(({ baseline }) => baseline)).toFixed(1)} ms`,
        ratio: median(rounds.map(({ ours, baseline }) => ours / baseline)),
        goal: { atMost: 0.8 },
      };
    }),
  );
}

const WARM_UPS = 3;
const ROUNDS = 41;

/** Of a whole run. */
function milliseconds(words: readonly string[]): number {
  const started = performance.now();
  const { exitCode, stderr } = Bun.spawnSync([...words], { timeout: 20_000 });
  const duration = performance.now() - started;
  if (exitCode !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  return duration;
}
