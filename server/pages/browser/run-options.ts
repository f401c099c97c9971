import type { RunOptions } from "../../../src/tool.ts";

/** The options that the server adds to each run of a tool: the day, and the operator's prices. */
export function readRunOptions(): Pick<RunOptions, "today" | "priceBook"> {
  const { priceBook } = document.documentElement.dataset;
  return {
    today: new Date().toISOString().slice(0, 10),
    priceBook: priceBook === undefined ? undefined : JSON.parse(priceBook),
  };
}
