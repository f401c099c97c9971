import { longestWaitBeside, mostExpensive } from "../test/live/abuse/fairness.ts";
import { handtools, withProgram } from "./programs.ts";
import type { Row } from "./table.ts";

/** How long an ordinary client waits beside one that sends the worst input without a pause. */
export const fairnessRows = (): Promise<Row[]> =>
  withProgram(handtools(), async ({ port }) => {
    const worst = await mostExpensive(port);
    const rows: Row[] = [];
    for (const [connections, goal] of GOALS) {
      const { longest } = await longestWaitBeside(port, connections, worst.bytes, MEASURED_MS);
      rows.push({
        what: `the longest wait beside ${connections} connections with the worst input`,
        ours: `${Math.round(longest)} ms`,
        baseline: `${goal} ms`,
        ratio: longest / goal,
        goal: { atMost: 1 },
      });
    }
    return rows;
  });

/** The longest wait in milliseconds, by the attacker's connections. */
const GOALS = [
  [1, 100],
  [32, 250],
] as const;

const MEASURED_MS = 5_000;
