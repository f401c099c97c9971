import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatWarnings } from "../../../src/findings.ts";
import { InvalidInputError } from "../../../src/index.ts";
import {
  compareMailFilters,
  createMailFilters,
  matchMailFilters,
  mergeMailFilters,
  parseMailFilters,
} from "../../../src/mail-filter/index.ts";
import { parseExport } from "../../../src/mail-filter/parse-export.ts";
import { tries } from "../../support/runs.ts";
import { gmailExport } from "./gmail-export.ts";
import { hostileInput } from "./hostile-filters.ts";
import type { FilterFields } from "./support.ts";

type Row = [properties: Record<string, string>, filter: FilterFields];

const senders: Row[] = [
  [{ from: "a@x.com" }, { from: ["a@x.com"] }],
  [{ from: "{@a.com @b.com}" }, { from: ["@a.com", "@b.com"] }],
  [{ from: "*@a.com OR *b.com" }, { from: ["*@a.com", "*b.com"] }],
  [{ from: '{a@x.com "Google Voice"}' }, { from: ["a@x.com", '"Google Voice"'] }],
  [{ to: "me" }, { to: ["me"] }],
  [{ from: "Google Voice" }, { has_words: ["from:(Google Voice)"] }],
  [{ from: "-a@x.com" }, { has_words: ["from:(-a@x.com)"] }],
];

const subjects: Row[] = [
  [{ subject: "Receipt OR Invoice" }, { subject: ["Receipt", "Invoice"] }],
  [{ subject: '([X] -"mentioned")' }, { has_words: ['subject:([X] -"mentioned")'] }],
  [{ subject: "(A OR B) -c -d" }, { has_words: ["subject:((A OR B) -c -d)"] }],
];

const words: Row[] = [
  [{ hasTheWord: "foo bar" }, { has_words: ["foo", "bar"] }],
  [{ hasTheWord: "list:(<dev.x.org>)" }, { has_words: ["list:(<dev.x.org>)"] }],
  [{ hasTheWord: "a b OR c" }, { has_words: ["a b OR c"] }],
  [{ hasTheWord: "(invoice|receipt) -spam" }, { has_words: ["(invoice|receipt) -spam"] }],
  [{ hasTheWord: "tom & jerry" }, { has_words: ["(tom & jerry)"] }],
  [{ hasTheWord: "from:“Ann Lee” OR c" }, { has_words: ['from:"“Ann" "Lee”" OR c'] }],
  [{ hasTheWord: '"Host UP", foo, "b c" , bar' }, { has_words: ['"Host UP" foo, "b c" bar'] }],
];

const exclusions: Row[] = [
  [{ doesNotHaveTheWord: "sale news" }, { does_not_have: ["sale", "news"] }],
  [{ doesNotHaveTheWord: '"#a" OR "#b c"' }, { does_not_have: ['"#a"', '"#b c"'] }],
  [{ doesNotHaveTheWord: "from:(a OR b)" }, { does_not_have: ["from:a", "from:b"] }],
  [{ doesNotHaveTheWord: "eDocument(s) ready" }, { does_not_have: ["eDocument", "s", "ready"] }],
  [{ doesNotHaveTheWord: "(sale) {news (to:bob)}" }, { does_not_have: ["sale", "news", "to:bob"] }],
  [{ doesNotHaveTheWord: "-a" }, { has_words: ["-{-a}"] }],
  [{ doesNotHaveTheWord: "subject:+a" }, { does_not_have: ["subject:+a"] }],
];

const sizes: Row[] = [
  [{ size: "10" }, { larger_than_mb: 10 }],
  [{ size: "5", sizeOperator: "s_ss" }, { smaller_than_mb: 5 }],
  [{ size: "512", sizeUnit: "s_skb" }, { larger_than_mb: 0.5 }],
  [
    { size: "1", hasTheWord: "a smaller:5M" },
    { has_words: ["a smaller:5M"], larger_than_mb: 1 },
  ],
];

for (const [kind, rows] of Object.entries({ senders, subjects, words, exclusions, sizes })) {
  describe(`parseMailFilters() reads ${kind} of an export`, () => {
    test.each(rows)("%j", (properties, filter) => {
      const { filters, left_out } = parseMailFilters(gmailExport({ ...properties, label: "L" }));
      expect(left_out).toEqual([]);
      expect(filters).toEqual([{ ...filter, label: "L" }]);
    });
  });
}

describe("what an export has beyond the service's limits", () => {
  const entry = { from: "a@x.com", label: "[Gmail]/Lists", forwardTo: "incoming+a/b@x.example" };
  const filter = { from: ["a@x.com"], label: entry.label, forward_to: entry.forwardTo };

  test("is read and written again", () => {
    const { filters, left_out, warnings } = parseMailFilters(gmailExport(entry));
    expect({ filters, left_out }).toEqual({ filters: [filter], left_out: [] });
    expect(warnings).toMatchObject([{ code: "reserved-label", path: "filters[0].label" }]);
    const { file } = createMailFilters({ filters }, { limits: "extended" });
    expect(parseMailFilters(file.content).filters).toMatchObject([filter]);
  });

  test.each(["label of 225 characters", "🎁".repeat(225)])("%s", (start) => {
    const label = [...start.padEnd(225, "l")].slice(0, 225).join("");
    const { filters, left_out } = parseMailFilters(gmailExport({ from: "a@x.com", label }));
    expect([filters, left_out]).toEqual([[{ from: ["a@x.com"], label }], []]);
  });

  test("is compared, merged and tried", () => {
    const changed = { ...filter, label: "[Gmail]/News" };
    const { counts, differences } = compareMailFilters(
      { filters: [filter, changed] },
      gmailExport(entry),
    );
    expect(counts).toMatchObject({ new: 1, unchanged: 1, only_in_gmail: 0 });
    expect(differences.join()).toContain("label [Gmail]/News, forward to incoming+a/b@x.example");
    const { filters } = mergeMailFilters([filter, { ...filter, from: ["b@x.com"] }]);
    expect(filters).toEqual([{ ...filter, from: ["a@x.com", "b@x.com"] }]);
    expect(matchMailFilters(filters, { from: "b@x.com" })).toMatchObject([{ matched: "yes" }]);
  });
});

const ALWAYS = { shouldAlwaysMarkAsImportant: "true" };
const NEVER = { shouldNeverMarkAsImportant: "true" };

describe("parseMailFilters() leaves out, with the place and the reason", () => {
  test.each<[Record<string, string>, string]>([
    [{ from: "(a b}", shouldTrash: "true" }, "has a broken search in from: ( and } that do not"],
    [{ from: "a@x.com", size: "5", sizeUnit: "s_sgb", label: "L" }, "has the size 5 s_sgb"],
    [{ from: "a@x.com", label: "l".repeat(226) }, "label: must have at most 225 characters"],
    [{ hasTheWord: 'a "b', label: "L" }, "has a broken search in hasTheWord"],
    [{ from: "a@x.com", excludeChats: "true", label: "L" }, "has excludeChats"],
    [{ from: "a@x.com", smartLabelToApply: "^smartlabel_receipt" }, "has the category"],
    [{ from: "a@x.com", forwardTo: '"a b"@x.com' }, "forwardTo: must be an e-mail address"],
    [{ from: "a@x.com" }, "does nothing in Gmail; perhaps its label was deleted"],
    [{ label: "L" }, "has no condition"],
    [{ from: "*", shouldTrash: "true" }, "has only * in from, which finds nothing"],
    [{ hasTheWord: `a OR ${"b".repeat(4_900)}`, label: "L" }, "must be shorter"],
    [{ from: "a@x.com", size: "60", label: "L" }, "size: must be at most 50"],
    [{ from: "a", ...ALWAYS, ...NEVER }, "has both shouldNeverMarkAsImportant and its opposite"],
  ])("%j", (properties, reason) => {
    const good = { from: "a@x.com", label: "L" };
    const { filters, left_out } = parseMailFilters(gmailExport(good, properties));
    expect(filters).toEqual([{ from: ["a@x.com"], label: "L" }]);
    const given = Object.entries(properties).filter(([, value]) => value !== "false");
    expect(left_out).toMatchObject([
      { entry: 1, properties: Object.fromEntries(given), reason: expect.stringContaining(reason) },
    ]);
  });
});

describe("parseMailFilters() keeps a filter that is too long for this tool's entries as one", () => {
  const senders = Array.from({ length: 200 }, (_, i) => `sender${i}@x.com`);
  const list = senders.join(" OR ");
  const braces = `{${senders.join(" ")}}`;
  test.each<[string, Record<string, string>]>([
    ["in braces, with other conditions", { from: braces, hasTheWord: "a b", size: "5" }],
    ["in the words", { hasTheWord: list, shouldStar: "true" }],
    ["with another operator among them", { from: `${list} OR list:(<a.b.c>)` }],
    ["in the words, with an operator", { hasTheWord: `{from:${senders.join(" to:")}}` }],
  ])("%s", (_, properties) => {
    const xml = gmailExport({ ...properties, label: "L" });
    const { filters, left_out, warnings } = parseMailFilters(xml);
    expect(left_out).toEqual([]);
    expect(filters).toHaveLength(1);
    expect(warnings.map(({ code }) => code)).toContain("split");
    expect(
      createMailFilters({ filters }, { limits: "extended" }).filters[0]?.entries.length,
    ).toBeGreaterThan(1);
  });
});

describe("parseMailFilters() finds nothing to say about what a file of Gmail proves", () => {
  test.each<Record<string, string>>([
    { from: "a@x.com", forwardTo: "b@y.com" },
    { hasTheWord: "a b c", label: "L" },
    { hasTheWord: "sale", shouldTrash: "true" },
  ])("%j", (properties) => {
    expect(parseMailFilters(gmailExport(properties))).toMatchObject({ left_out: [], warnings: [] });
  });
});

test("parseMailFilters() names the filter that a warning is about", () => {
  const { warnings } = parseMailFilters(
    gmailExport(
      { from: "a@x.com", label: "L" },
      { from: "b@x.com", label: "Spam" },
      { from: "b@x.com", subject: "Sale", shouldTrash: "true" },
    ),
  );
  expect(warnings.map(({ message }) => message)).toEqual([
    'conflicts with `filters[1]` ("b@x.com"): this one deletes mail that the other keeps (in "b@x.com")',
    'Spam is one of Gmail\'s own names; the import may reject it (in "b@x.com")',
  ]);
});

test("parseMailFilters() says the same of several filters once", () => {
  const messages = (...properties: Record<string, string>[]) =>
    parseMailFilters(gmailExport(...properties)).warnings.map(({ message }) => message);
  const domains = ["a", "b", "c"].map((name) => ({ from: `${name}.example`, label: "L" }));
  const spam = ["Spam", "Trash", "Spam"].map((label, at) => ({ from: `${at}@x.com`, label }));
  expect(messages(...domains)).toEqual([
    expect.stringContaining('(in "a.example"; likewise in 2 more filters)'),
  ]);
  expect(messages(...spam)).toEqual([
    expect.stringMatching(/^Spam is one .* \(in "0@x\.com"; likewise in 1 more filter\)$/),
    expect.stringMatching(/^Trash is one .* \(in "1@x\.com"\)$/),
  ]);
});

describe("parseMailFilters() takes the name of a filter from the comment before it", () => {
  test.each([
    ["Bills", "Bills"],
    ["=====", undefined],
    ["=== Bills ===", "=== Bills ==="],
    ["~*~*~ ═╬═", undefined],
    ["▬▬ Счета ▬▬", "▬▬ Счета ▬▬"],
  ])("%j", (comment, name) => {
    const xml = gmailExport({ from: "a@x.com", label: "L" }).replace(
      "<entry>",
      `<!-- ${comment.replaceAll("-", "*")} --><entry>`,
    );
    expect(parseMailFilters(xml).filters).toEqual([
      { ...(name && { name }), from: ["a@x.com"], label: "L" },
    ]);
  });
});

describe("parseMailFilters() reads other forms of the file", () => {
  const good = gmailExport({ from: "a@x.com", label: "A&B" });
  const expected = [{ from: ["a@x.com"], label: "A&B" }];
  const property = (name: string, value: string) =>
    `<apps:property name='${name}' value='${value}'/>`;
  const EMPTY = property("to", "") + property("shouldStar", "false");
  test.each<[string, string]>([
    ["a byte order mark", `\ufeff${good}`],
    ["other prefixes", good.replaceAll("apps:", "b:").replace("xmlns:apps=", "xmlns:b=")],
    ["comments and CDATA", good.replaceAll("Mail Filter<", "<!-- x --><![CDATA[<entry>]]><")],
    ["character references", good.replace("a@x.com", "&#97;&#x40;x.com")],
    ["empty and false properties", good.replace("<apps:property name='from'", `${EMPTY}$&`)],
  ])("%s", (_, xml) => {
    const { filters, left_out } = parseMailFilters(xml);
    expect(left_out).toEqual([]);
    expect(filters).toEqual(expected);
  });
});

describe("parseMailFilters() rejects what is not an export", () => {
  const AGAIN =
    "export the filters again in Gmail: Settings > See all settings > Filters and Blocked Addresses > Export";
  const MUST_BE = "must be the mailFilters.xml that Gmail exports";
  const open = gmailExport().replace("</feed>", "").trimEnd();
  const bomb = `<!DOCTYPE feed [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${gmailExport()}`;
  test.each<[string, string, string]>([
    ["nothing", " \n", `is empty; ${AGAIN}`],
    ["JSON", "// mine\n{}", `${MUST_BE}; this is JSON, which does not need to be converted`],
    ["Sieve", 'require ["fileinto"];', `${MUST_BE}; filters of other programs are not supported`],
    ["text below XML", `<!--\n-->\nhello\n<a/>`, "(mailFilters.xml): it is not XML near line 4; "],
    ["another root", "<o:opml xmlns:o='o'/>", `it begins with <o:opml>; ${AGAIN}`],
    ["a few bytes of a file", gmailExport().slice(0, 9), "is incomplete: "],
    ["an entity bomb", bomb, "it has a DOCTYPE"],
    ["an unknown entity", gmailExport().replace("Ann", "&nbsp;"), "it is not XML near line "],
    ["more than 32 MiB", " ".repeat(32 * 1024 * 1024 + 1), "must have at most 32 MiB"],
    ["more than 10,000", `${open}${"<entry/>".repeat(10_001)}</feed>`, "at most 10,000 filters"],
  ])("%s", (_, xml, message) => {
    expect(() => parseMailFilters(xml)).toThrow(InvalidInputError);
    expect(() => parseMailFilters(xml)).toThrow(message);
  });
});

const again = (xml: string) => {
  const { filters, left_out } = parseMailFilters(xml);
  expect(left_out).toEqual([]);
  return createMailFilters({ filters }, { limits: "extended" }).file.content;
};

describe("parseMailFilters() gives this tool's own files back, byte by byte", () => {
  const long = Array.from(
    { length: 20 },
    (_, at) => `sender.${at}@mail.example ${"b".repeat(150)}@x.com`,
  );
  test.each<[FilterFields]>([
    [{ name: "Big", from: long, label: "L" }],
    [{ from: ['a@x.com "', "a@x.com, Bob"], label: "L" }],
    [{ has_words: ["@x.com~(a OR b)"], label: "L" }],
    [{ does_not_have: ['"say “a b” now"', "b"], label: "L" }],
    [{ does_not_have: ["a b", "from:x", "filename:*.pdf"], has_attachment: true, star: true }],
  ])("%j", (filter) => {
    const xml = createMailFilters({ filters: [filter] }).file.content;
    expect(again(xml)).toBe(xml);
  });

  const TRIES = tries(30);

  test("any accepted input", () => {
    let read = 0;
    for (const hostile of fc.sample(hostileInput, TRIES)) {
      // A name without a letter is read as decoration.
      const filters = hostile.filters.map((filter) => ({
        ...filter,
        name: `N${filter.name ?? ""}`,
      }));
      const input = { ...hostile, filters };
      let xml: string;
      try {
        xml = createMailFilters(input).file.content;
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidInputError);
        continue;
      }
      expect(again(xml)).toBe(xml);
      const { counts } = compareMailFilters(input, xml);
      expect(counts).toMatchObject({ new: 0, only_in_gmail: 0 });
      read += 1;
    }
    expect(read).toBeGreaterThan(TRIES.numRuns / 3);
  });
});

describe("readExport() says which entry it leaves out, and why", () => {
  test.each<[Record<string, string>, string]>([
    [
      { from: "b@x.com", cannedResponse: "1", shouldStar: "true" },
      "from:(b@x.com) -> star (and canned",
    ],
    [{ hasTheWord: `a OR ${"b".repeat(2_000)}`, label: "L" }, `${"b".repeat(114)}… is skipped`],
  ])("%j", (properties, message) => {
    const xml = gmailExport({ from: "a@x.com", label: "L" }, properties);
    const finding = { code: "left-out", severity: "warning", path: "entry[1]" } as const;
    expect(formatWarnings(parseExport(xml)).warnings).toEqual([
      { ...finding, message: expect.stringContaining(message) },
    ]);
  });

  test.each(["hasTheWord", "doesNotHaveTheWord", "from", "to", "subject"])(
    "in seconds, for a word of 200,000 letters in %s",
    (field) => {
      const xml = gmailExport({ [field]: "é".repeat(200_000), label: "L" });
      const before = process.cpuUsage();
      expect(parseExport(xml).warnings).toMatchObject([{ code: "left-out" }]);
      expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
    },
  );
});

test.each<[Record<string, string>, string]>([
  [{ from: "a@x.com", label: "Bills" }, "Bills"],
  [{ from: "a@x.com OR b@y.com", shouldStar: "true" }, "a@x.com"],
  [{ hasTheWord: "x".repeat(100), shouldStar: "true" }, "x".repeat(80)],
  [{ size: "5", shouldStar: "true" }, ""],
])("parseExport() names %j %j", (properties, name) => {
  const { filters } = parseExport(gmailExport(properties));
  expect(filters).toMatchObject([name === "" ? {} : { name }]);
});

test("warnings of an export name filters as the export's list does", () => {
  const { warnings } = parseExport(gmailExport({ from: "a@x.com", label: "Spam" }));
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('(in "Spam")')]);
});
