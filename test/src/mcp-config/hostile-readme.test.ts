import { expect, test } from "bun:test";
import { readServer } from "../../../server/pages/views/read-server.ts";
import { readConfigBlocks } from "../../../src/mcp-config/read/read-config.ts";
import { expectNoSquare } from "../../support/growth.ts";

const blocks = (count: number, command: (index: number) => string): string =>
  Array.from(
    { length: count },
    (_, index) => `\`\`\`json\n{"mcpServers":{"a":{"command":"${command(index)}"}}}\n\`\`\`\n`,
  ).join("");

test.each<[string, number, (size: number) => unknown, unknown]>([
  ["blocks", 5_000, (size) => readConfigBlocks(blocks(size, String)).at(-1)?.line, 14_999],
  ["times the same block", 5_000, (size) => readConfigBlocks(blocks(size, () => "b")).length, 1],
  [
    "braces that no brace closes",
    300_000,
    (size) => readServer("{".repeat(size)),
    { reason: expect.stringContaining("is not JSON") },
  ],
  [
    "backslashes in one word",
    60_000,
    (size) => readServer("=\\a".repeat(size / 3)),
    { reason: expect.any(String) },
  ],
])("a README of many %s is read in time", async (_, most, read, result) => {
  await expectNoSquare(most, read);
  expect(await read(most)).toEqual(result);
});
