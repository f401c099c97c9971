import { expect, test } from "bun:test";
import { readServer } from "../../../server/pages/views/read-server.ts";
import { readConfigBlocks } from "../../../src/mcp-config/read/read-config.ts";

const blocks = (count: number, command: (index: number) => string): string =>
  Array.from(
    { length: count },
    (_, index) => `\`\`\`json\n{"mcpServers":{"a":{"command":"${command(index)}"}}}\n\`\`\`\n`,
  ).join("");

/** Time that grows with the square of the length would be minutes. */
test.each<[string, () => unknown, unknown]>([
  ["5,000 blocks", () => readConfigBlocks(blocks(5_000, String)).at(-1)?.line, 14_999],
  ["the same block 5,000 times", () => readConfigBlocks(blocks(5_000, () => "b")).length, 1],
  ["braces that no brace closes", () => readServer("{".repeat(300_000)), undefined],
])("a README of %s is read in time", async (_, read, result) => {
  const started = performance.now();
  expect(await read()).toEqual(result);
  expect(performance.now() - started).toBeLessThan(5_000);
});
