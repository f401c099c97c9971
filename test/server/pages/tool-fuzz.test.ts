import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { faultLog } from "../fault-log.ts";
import { runningServer } from "../running-server.ts";
import { formPost } from "./send-form.ts";

const { faults, log } = faultLog();
const server = runningServer({ log });

const RUNS = 300;

/** The most that a form with every list full has, and more than any other needs. */
const MAX_PAGE = 2_000_000;

const PATHS = tools.map(toolPagePath);
const POSTED = "/tools/mcp-config-generator";

async function expectPage(response: Promise<Response>): Promise<void> {
  const { status, headers, text } = await response.then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text.endsWith("</html>\n")).toBe(true);
  expect(text.length).toBeLessThan(MAX_PAGE);
  expect(faults).toEqual([]);
}

/** What names of fields are made of, and what they may be taken for. */
const namePart = fc.constantFrom(
  ...["filters", "zaps", "args", "env", "headers", "name", "from", "action_steps", "key", "value"],
  ...["[0]", "[1]", "[7]", "[999]", "[9999]", "[-1]", "[", "]", ".", "..", "[0][0][0][0][0][0]"],
  ...["constructor", "prototype", "__proto__", "toString", "length", "input", "do", "%", "é", " "],
);
const name = fc.array(namePart, { maxLength: 6 }).map((parts) => parts.join(""));
const value = fc.oneof(
  fc.constantFrom(
    "",
    "true",
    "on",
    "5",
    "a",
    "add args",
    "remove filters[0]",
    "clear",
    "{}",
    "null",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.json({ maxDepth: 3 }),
);
const query = fc
  .array(fc.tuple(name, value), { maxLength: 20 })
  .map((pairs) => String(new URLSearchParams(pairs)));

test("whatever the fields, the answer is a page", async () => {
  const property = fc.asyncProperty(fc.constantFrom(...PATHS), query, async (path, sent) => {
    await expectPage(server.fetch(`${path}?${sent}`));
    await expectPage(server.fetch(POSTED, formPost(sent)));
  });
  await fc.assert(property, { numRuns: RUNS });
}, 60_000);

describe("fields without number give a page of a size", () => {
  const rows = (length: number, field: (row: number) => string) =>
    Array.from({ length }, (_, row) => field(row)).join("&");

  test.each<[string, string]>([
    ["ten thousand filters", rows(10_000, (row) => `filters[${row}].name=a`)],
    ["a thousand Zaps", rows(1_000, (row) => `zaps[${row}].name=a`)],
    ["rows in rows", rows(2_000, (row) => `filters[${row % 40}].from[${row % 50}]=a`)],
    ["a thousand arguments", rows(1_000, (row) => `args[${row}]=a`)],
    ["a thousand variables", rows(1_000, (row) => `env[${row}].key=A${row}`)],
    ["the same name ten thousand times", rows(10_000, () => "name=a")],
    ["a name of 100 KB", `${"a".repeat(100_000)}=a`],
    ["a value of 100 KB", `name=${"a".repeat(100_000)}`],
    ["100 KB of brackets", `args${"[0]".repeat(33_000)}=a`],
    ["an input of 100 KB", `input=${"[".repeat(100_000)}`],
    ["an input of many brackets", `input=${"[".repeat(8_000)}${"]".repeat(8_000)}`],
    ["a command of 100 KB", `name=a&do=add+${"args[0]".repeat(14_000)}`],
  ])("%s", async (_, fields) => {
    for (const path of PATHS) await expectPage(server.fetch(`${path}?${fields}`));
  });
});
