import { describe, expect, test } from "bun:test";
import * as schemas from "../../schemas/index.ts";
import { manPage } from "../../scripts/man-page.ts";
import * as server from "../../server/index.ts";
import * as automationCost from "../../src/automation-cost/index.ts";
import * as library from "../../src/index.ts";
import * as mailFilter from "../../src/mail-filter/index.ts";
import * as mcpConfig from "../../src/mcp-config/index.ts";
import { readDocument } from "./document.ts";

/** A section of a document, from its heading to the next of the same level. */
function section(path: string, heading: string): string {
  const [, text = ""] = readDocument(path).text.split(`\n${heading}\n`);
  const level = heading.split(" ")[0] ?? "";
  return text.split(`\n${level} `)[0] ?? "";
}

describe("docs/library.md names every export of", () => {
  test.each([
    ["handtools", library],
    ["handtools/mail-filter", mailFilter],
    ["handtools/automation-cost", automationCost],
    ["handtools/mcp-config", mcpConfig],
    ["handtools/schemas", schemas],
    ["handtools/server", server],
  ])("%s", (name, exports) => {
    const text = section("docs/library.md", `### \`${name}\``);
    const missing = Object.keys(exports).filter((key) => !new RegExp(`\`${key}[\`(]`).test(text));
    expect(missing).toEqual([]);
  });
});

describe("docs/command-line.md", async () => {
  const manual = (await manPage()).replaceAll("\\-", "-");
  const { text } = readDocument("docs/command-line.md");

  test("names every command", () => {
    const commands = [...manual.matchAll(/^\.SS "([a-z-]+) /gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(12);
    const missing = commands.filter((name) => !text.includes(`\`handtools ${name}\``));
    expect(missing).toEqual(["help"]);
  });

  test("names flags that there are", () => {
    const flags = [...text.matchAll(/--[a-z][a-z-]+/g)].map(([flag]) => flag);
    expect(flags.filter((flag) => flag !== "--help" && !manual.includes(flag))).toEqual([]);
  });
});

test("docs/operating.md names every metric", async () => {
  const source = await Bun.file(`${import.meta.dir}/../../server/process/metrics.ts`).text();
  const names = [...source.matchAll(/name: "(\w+)"/g)].map(([, name]) => name);
  const text = section("docs/operating.md", "## Metrics and logs");
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
