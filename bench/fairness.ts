import { longestWaitBeside, mostExpensive, PIPELINED } from "../test/live/abuse/fairness.ts";
import { handtools, withProgram } from "./programs.ts";
import type { Row } from "./table.ts";

/**
 * How long an ordinary client waits beside one that sends the worst input without a pause, or
 * thousands of requests for pages without waiting for answers.
 */
export const fairnessRows = (): Promise<Row[]> =>
  withProgram(handtools(), async ({ port }) => {
    const worst = await mostExpensive(port);
    const attacks = [
      { what: "with the worst input", bytes: worst.bytes, bursts: [1, 1] },
      ...PIPELINED.map(({ title, bytes }) => ({
        what: `that pipeline requests for ${title}`,
        bytes,
        bursts: [5_000, 200],
      })),
    ];
    const rows: Row[] = [];
    for (const { what, bytes, bursts } of attacks) {
      for (const [index, [connections, goal]] of GOALS.entries()) {
        const { longest } = await longestWaitBeside(
          port,
          connections,
          bytes,
          MEASURED_MS,
          bursts[index],
        );
        rows.push({
          what: `the longest wait beside ${connections} connections ${what}`,
          ours: `${Math.round(longest)} ms`,
          baseline: `${goal} ms`,
          ratio: longest / goal,
          goal: { atMost: 1 },
        });
      }
    }
    return rows;
  });

/** The longest wait in milliseconds, by the attacker's connections. */
const GOALS = [
  [1, 100],
  [32, 250],
] as const;

const MEASURED_MS = 5_000;
