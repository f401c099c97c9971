import { MAX_RESULT_BYTES } from "../schemas/index.ts";
import { callTool } from "../src/call-tool.ts";
import { median, type Row } from "./table.ts";
import { type WorstInput, worstInputs } from "./worst-inputs.ts";

/** How long the worst inputs take, against parsing and writing a result of the largest size. */
export function worstRows(): Row[] {
  const unit = JSON.stringify(largestResult());
  const writeLargest = () => JSON.stringify(JSON.parse(unit));
  return worstInputs().map((input) => {
    const rounds = Array.from({ length: ROUNDS }, () => ({
      ours: milliseconds(() => run(input)),
      unit: milliseconds(writeLargest),
    }));
    return {
      what: `the worst input: ${input.title}`,
      ours: `${median(rounds.map(({ ours }) => ours)).toFixed(1)} ms`,
      baseline: `${median(rounds.map((round) => round.unit)).toFixed(1)} ms`,
      ratio: median(rounds.map((round) => round.ours / round.unit)),
      goal: { atMost: MOST_UNITS },
    };
  });
}

const ROUNDS = 15;

/** A call may take as long as parsing and writing a result of the largest size this often. */
const MOST_UNITS = 6;

/** What the server does with an input, but for the connection. */
function run({ contract, json }: WorstInput): string {
  const limits = { resultBytes: MAX_RESULT_BYTES };
  return JSON.stringify(callTool(contract.name, JSON.parse(json), {}, limits));
}

/** Objects of texts, as results are. */
const largestResult = (): object[] =>
  Array.from({ length: 9_200 }, (_, id) => ({
    id,
    text: "a text, such as they are".repeat(3),
    list: [id],
  }));

function milliseconds(act: () => unknown): number {
  const started = performance.now();
  act();
  return performance.now() - started;
}
