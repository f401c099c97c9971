import { expect, test } from "bun:test";
import { parsePasted } from "../../../server/pages/mcp-config/parse-pasted.ts";
import { readAnyConfig, readConfigBlocks } from "../../../src/mcp-config/parse/parse-config.ts";
import { expectNoSquare } from "../../support/growth.ts";

const readAny = (text: string) => {
  try {
    return readAnyConfig(text);
  } catch {
    return "none";
  }
};

const blocks = (count: number, command: (index: number) => string): string =>
  Array.from(
    { length: count },
    (_, index) => `\`\`\`json\n{"mcpServers":{"a":{"command":"${command(index)}"}}}\n\`\`\`\n`,
  ).join("");

const rejected = { reason: expect.any(String) };

test.each<[string, number, (size: number) => unknown, unknown]>([
  ["blocks", 2_000, (size) => readConfigBlocks(blocks(size, String)).at(-1)?.line, 5_999],
  ["times the same block", 2_000, (size) => readConfigBlocks(blocks(size, () => "b")).length, 1],
  ["open braces", 300_000, (size) => parsePasted("{".repeat(size)), rejected],
  ["blank lines", 200_000, (size) => parsePasted(`x${"\n".repeat(size)}y`), rejected],
  ["blank lines without a config", 50_000, (size) => readAny(`x${"\n".repeat(size)}y`), "none"],
  ["backslashes in one word", 60_000, (size) => parsePasted("=\\a".repeat(size / 3)), rejected],
])("a README of many %s is read in time", async (_, most, read, result) => {
  await expectNoSquare(most, read);
  expect(await read(most)).toEqual(result);
});
