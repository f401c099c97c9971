import { MAX_TOOL_INPUT_BYTES } from "../schemas/index.ts";
import type { Row } from "./table.ts";
import { library, MOST_ROUND_TRIPS, milliseconds, roundTrip } from "./worst.ts";
import { type WorstInput, worstInputs } from "./worst-inputs.ts";

/**
 * Looks for inputs that take longer than the ones we know: it changes each of them at random and
 * goes on from what is slower.
 *
 * @param seconds for the whole search.
 */
export async function searchRow(seconds: number): Promise<Row> {
  const unit = await fastest(roundTrip);
  const inputs = worstInputs();
  let worst = { input: inputs[0], time: 0 };
  let tried = 0;
  for (const known of inputs) {
    const end = performance.now() + (seconds * 1_000) / inputs.length;
    let slowest = { input: known, time: await timeOf(known) };
    while (performance.now() < end) {
      const json = changed(slowest.input.json);
      if (json === undefined) continue;
      tried += 1;
      const input = { ...known, json };
      // One round tells most that are no slower.
      if ((await milliseconds(() => library.answer(input))) < slowest.time) continue;
      const time = await timeOf(input);
      if (time > slowest.time) slowest = { input, time };
    }
    if (slowest.time > worst.time) worst = slowest;
  }
  if (worst.time > unit * MOST_ROUND_TRIPS) process.stderr.write(`${worst.input?.json}\n`);
  return {
    what: `the slowest of ${tried.toLocaleString("en-US")} changed ones, from ${worst.input?.title}`,
    ours: `${worst.time.toFixed(1)} ms`,
    baseline: `${unit.toFixed(1)} ms`,
    ratio: worst.time / unit,
    goal: { atMost: MOST_ROUND_TRIPS },
  };
}

const timeOf = (input: WorstInput): Promise<number> =>
  fastest(() => milliseconds(() => library.answer(input)));

/** The fastest of several rounds, which other programs and the garbage collector disturb least. */
async function fastest(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) times.push(await measure());
  return Math.min(...times);
}

/** The input with a few changes; undefined when it is too large or not JSON any more. */
function changed(json: string): string | undefined {
  let text = json;
  for (let change = random(4); change >= 0; change -= 1) text = changedOnce(text);
  if (Buffer.byteLength(text) > MAX_TOOL_INPUT_BYTES) return undefined;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Repeats, removes or moves a piece, replaces one text everywhere, or writes another one into it. */
function changedOnce(text: string): string {
  const from = random(text.length);
  const to = from + random(random(2) === 0 ? 12 : 2_000);
  const piece = text.slice(from, to);
  const at = random(text.length);
  const pick = PIECES[random(PIECES.length)] ?? "";
  switch (random(6)) {
    case 0:
      return text.slice(0, to) + text.slice(from);
    case 1:
      return text.slice(0, from) + text.slice(to);
    case 2:
      return text.slice(0, at) + piece + text.slice(at);
    case 3:
      return text.slice(0, at) + pick + text.slice(at);
    case 4:
      return text.slice(0, from) + pick + text.slice(to);
    default:
      return piece === "" ? text : text.replaceAll(piece.slice(0, 6), pick);
  }
}

/** Pieces with a meaning in an input, or with a longer form in a result. */
const PIECES = [
  ...["{}", "{},{}", '","', '":"', " ", "a", "@", "@a.b", " OR ", "(", ")", "{", "}", "-", '\\"'],
  ...["from:", "is:", "list:", "larger:5M", "\u00ad", "\u202e", "\u00e9", "\u{1f600}", "\\u0000"],
  ...["${A}", "${input:a}", "%24%7BA%7D", "Bearer a", "key", "token", "&a=", "https://a/", "<a>"],
  ...['"star":true,', '"label":"a",', '"importance":"never",', '"category":"social",', "1", "'"],
];

const random = (below: number): number => Math.floor(Math.random() * below);
