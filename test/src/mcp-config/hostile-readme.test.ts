import { expect, test } from "bun:test";
import { readServer } from "../../../server/pages/mcp-config/read-server.ts";
import { readAnyConfig, readConfigBlocks } from "../../../src/mcp-config/read/read-config.ts";
import { expectNoSquare } from "../../support/growth.ts";

const readAny = (text: string) => {
  try {
    return readAnyConfig(text);
  } catch {
    return "no config";
  }
};

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
    "blank lines in a text",
    200_000,
    (size) => readServer(`x${"\n".repeat(size)}y`),
    { reason: expect.any(String) },
  ],
  ["blank lines beside a config", 50_000, (size) => readAny(`x${"\n".repeat(size)}y`), "no config"],
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
