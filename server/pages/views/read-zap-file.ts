import type { LeftOutZap } from "../../../src/automation-cost/index.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { plural } from "../../../src/text.ts";
import type { ReadText, UnreadText } from "../view.ts";

/**
 * Reads the Zaps of a table or a `zapfile.json`, whose runs the user then fills in. Of a pasted
 * text only several rows are a table.
 */
export async function readZapFile(
  text: string,
  field?: string,
): Promise<ReadText | UnreadText | undefined> {
  const { readZaps } = await import("../../../src/automation-cost/read-zaps.ts");
  try {
    const read = readZaps(text);
    const { without_runs, left_out, warnings } = read;
    const zaps = [...read.zaps, ...without_runs];
    if (field !== undefined && zaps.length + left_out.length < 2) return undefined;
    const findings = warnings
      .filter(({ code }) => code !== "runs-unknown")
      .map(({ path, message }) => {
        const list = path.startsWith("zaps") ? read.zaps : without_runs;
        return `“${list[Number(/\d+/.exec(path))]?.name}” ${message}`;
      });
    const leftOut = left_out.map((zap) => `${placeOf(zap)} ${zap.reason}`);
    const missing =
      without_runs.length > 0 ? " Fill in how often each runs: the file does not say." : "";
    return {
      input: { zaps },
      summary: `Read ${plural(zaps.length, "Zap")}.${missing}${listed(" Left out: ", leftOut)}${listed(" Note: ", findings)}`,
    };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (field !== undefined) return undefined;
    return { reason: `This file ${error.issues.map(({ message }) => message).join(", ")}.` };
  }
}

function placeOf({ name, row }: LeftOutZap): string {
  if (row === undefined) return `“${name}”`;
  return name === "" ? `row ${row}` : `row ${row} (“${name}”)`;
}

/** A file may have a thousand Zaps. */
const MAX_NAMED = 3;

function listed(title: string, items: readonly string[]): string {
  if (items.length === 0) return "";
  const others = items.length - MAX_NAMED;
  return `${title}${items.slice(0, MAX_NAMED).join("; ")}${others > 0 ? `; and ${others} more` : ""}.`;
}
