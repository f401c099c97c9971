import { describe, expect, test } from "bun:test";
import { mergeMailFilters } from "../../src/mail-filter/index.ts";
import { gmailExport } from "../src/mail-filter/gmail-export/support.ts";
import { commandLine } from "./support.ts";

const xml = gmailExport(
  { from: "a@x.com", label: "Bills" },
  { from: 'b@y.com OR "Ann Lee"', label: "Bills" },
  { from: "c@x.com", shouldStar: "true" },
  { from: "C@x.com", shouldStar: "true" },
  { from: "d@x.com", label: "Bills", excludeChats: "true" },
  { subject: "weekly report", label: "W" },
);
const rules = JSON.stringify({
  filters: [
    { name: "One", from: ["a@x.com"], label: "L" },
    { name: "Two", from: ["b@x.com"], label: "L" },
    { name: "Other", subject: ["c"], star: true },
  ],
});
const files = { "mailFilters.xml": xml, "rules.json": rules };
const mailFilter = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  commandLine(["mail-filter", ...argv], { files: { ...files, ...more } });

describe("--merge with --read", () => {
  test("writes only the new filters, and reports what they replace", async () => {
    const { exitCode, out, error } = await mailFilter(["--read", "mailFilters.xml", "--merge"]);
    expect({ exitCode, error }).toEqual({
      exitCode: 0,
      error: `5 filters become 3: 1 new in place of 2, 1 repeat
keep a copy of the export; import the new filters (+) without applying them to existing mail, look for them in Gmail's list, and only then delete by hand those that they replace (-)
+ Bills: from:("Ann Lee" OR a@x.com OR b@y.com) -> label Bills
- from:(a@x.com) -> label Bills
- from:(b@y.com OR "Ann Lee") -> label Bills
these are there more than once: keep one (=), and delete the others (-) by hand
= from:(c@x.com) -> star
- from:(C@x.com) -> star
? from:(d@x.com) -> label Bills (and excludeChats): has excludeChats, which this tool does not write; keep this one
`,
    });
    expect(out.match(/<entry>/g)).toHaveLength(1);
    expect(out).toContain('value="&quot;Ann Lee&quot; OR a@x.com OR b@y.com"');
  });

  test("prints what the library gives with --json", async () => {
    const { out } = await mailFilter(["--read", "mailFilters.xml", "--merge", "--json"]);
    const read = JSON.parse((await mailFilter(["--read", "mailFilters.xml"])).out);
    expect(JSON.parse(out)).toEqual(mergeMailFilters(read.filters));
  });

  test("writes no file when nothing is new", async () => {
    const single = gmailExport({ from: "a@x.com", label: "L" });
    const argv = ["--read", "one.xml", "--merge", "-o", "new.xml"];
    const result = await mailFilter(argv, { "one.xml": single });
    expect(result).toMatchObject({
      exitCode: 0,
      out: "",
      error: "no filters can be merged so that the same happens to all mail with fewer entries\n",
    });
    expect(result.files["new.xml"]).toBeUndefined();
  });

  test("gives batches when old and new are more than Gmail keeps", async () => {
    const full = gmailExport(
      ...Array.from({ length: 1000 }, (_, i) => ({ from: `s${i}@x.com`, label: `L${i % 40}` })),
    );
    const { error } = await mailFilter(["--read", "full.xml", "--merge"], { "full.xml": full });
    // Gmail's list at any time has what is neither deleted yet nor still to be imported.
    let [present, most, waiting] = [1000, 0, 0];
    for (const line of error.split("\n")) {
      if (line.startsWith("batch ")) {
        present -= waiting;
        waiting = 0;
      }
      const early = Number(/^Gmail has no room yet: delete (\d+) /.exec(line)?.[1] ?? 0);
      present -= early;
      waiting -= early;
      if (line.startsWith("+ ")) present += 1;
      if (line.startsWith("- ")) waiting += 1;
      most = Math.max(most, present);
    }
    expect(most).toBeLessThanOrEqual(1000);
    expect(present - waiting).toBe(40);
    expect(error.match(/^batch /gm)?.length).toBeGreaterThan(1);
  });

  test("takes more filters than Gmail keeps", async () => {
    const huge = gmailExport(
      ...Array.from({ length: 1500 }, (_, i) => ({ from: `s${i}@x.com`, label: `L${i % 40}` })),
    );
    const { out } = await mailFilter(["--read", "huge.xml", "--merge"], { "huge.xml": huge });
    expect(out.match(/<entry>/g)?.length).toBe(40);
  });
});

describe("--merge of an input", () => {
  test("writes all filters", async () => {
    const { exitCode, out, error } = await mailFilter(["rules.json", "--merge", "--search"]);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: "from:(a@x.com OR b@x.com)\nsubject:(c)\n",
    });
    expect(error).toStartWith("3 filters become 2: 1 new in place of 2\n");
    expect(error).toContain("+ One, Two: from:(a@x.com OR b@x.com) -> label L\n");
  });

  test("prints an input with --json, beside what was done", async () => {
    const { out } = await mailFilter(["rules.json", "--merge", "--json"]);
    expect(JSON.parse(out)).toEqual(mergeMailFilters(JSON.parse(rules).filters));
    const again = await mailFilter(["merged.json", "--search"], { "merged.json": out });
    expect(again).toMatchObject({
      exitCode: 0,
      out: "from:(a@x.com OR b@x.com)\nsubject:(c)\n",
    });
  });

  test("goes before --existing and --diff", async () => {
    const inGmail = gmailExport(
      { from: "b@x.com", label: "L" },
      { subject: "c", shouldStar: "true" },
    );
    const world = { "gmail.xml": inGmail };
    const lacking = await mailFilter(["rules.json", "--merge", "--existing", "gmail.xml"], world);
    expect(lacking.out.match(/<entry>/g)).toHaveLength(1);
    const { out } = await mailFilter(["rules.json", "--merge", "--diff", "gmail.xml"], world);
    expect(out).toStartWith("~ One, Two: + from a@x.com\n");
  });

  test.each([
    [
      ["rules.json", "--merge"],
      { filters: [{ from: ["a"] }] },
      "rules.json:1:13: filters[0]: must have an action",
    ],
    [["--read", "mailFilters.xml", "--json"], {}, "--json: with --read it needs --merge"],
    [
      ["rules.json", "--merge"],
      { filters: Array.from({ length: 1001 }, (_, i) => ({ has_words: [`w${i}`], star: true })) },
      "filters: must have at most 1,000 items",
    ],
  ])("rejects %j", async (argv, input, message) => {
    const { exitCode, error } = await mailFilter(argv, { "rules.json": JSON.stringify(input) });
    expect(exitCode).toBe(2);
    expect(error).toContain(`error: ${message}`);
  });
});
