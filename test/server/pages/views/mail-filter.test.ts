import { describe, expect, test } from "bun:test";
import newsletters from "../../../../examples/newsletters.json" with { type: "json" };
import type { MailFilterInput } from "../../../../schemas/index.ts";
import { exportChanges } from "../../../../server/pages/views/export-changes.ts";
import { mailFilterView } from "../../../../server/pages/views/mail-filter.ts";
import { compareMailFilters, mailFilter } from "../../../../src/mail-filter/index.ts";
import { gmailExport } from "../../../src/mail-filter/gmail-export.ts";
import { elementsOf } from "../../support/expect.ts";

const CONTEXT = { fileHref: undefined, priceBook: undefined, warnings: [], run: mailFilter };
const FILE_HREF = "/tools/x/file?input=%7B%7D&a=b";

async function shown(input: MailFilterInput, fileHref: string | undefined = FILE_HREF) {
  const result = mailFilter(input);
  const { markup } = mailFilterView.body(result, { ...CONTEXT, input, fileHref });
  const elements = await elementsOf(markup);
  const textsOf = (tag: string) => elements.filter((e) => e.tag === tag).map(({ text }) => text);
  return { result, elements, textsOf, links: elements.filter(({ tag }) => tag === "a") };
}

const star = (from: string) => ({ from: [from], star: true });
const senders = Array.from({ length: 20 }, (_, n) => `${n}${"x".repeat(90)}@x.example`);

describe("the mail filter's view", () => {
  test("archives newsletters as the example does, without what has to stay in the inbox", () => {
    const [{ name: _, ...example } = { name: "" }] = newsletters.filters;
    const preset = mailFilterView.presets.find(({ title }) => title === "Newsletters");
    expect<unknown>(preset?.input).toEqual({ filters: [example] });
  });

  test("gives each filter its name, its sentence, its search and a link to try it", async () => {
    const { result, textsOf, links } = await shown({
      filters: [{ ...star("a@x.example"), name: "A & <b>" }, star("b@x.example")],
    });
    expect(textsOf("h3")).toEqual(["A & <b>", "Filter 2"]);
    expect(textsOf("code")).toEqual([
      ...result.filters.map(({ search }) => search),
      result.file.content.trim(),
    ]);
    for (const { explanation, preview_url } of result.filters) {
      expect(textsOf("p")).toContain(explanation);
      const link = links.find(({ attributes }) => attributes.href === preview_url);
      expect(link?.attributes).toMatchObject({ target: "_blank", rel: "noopener" });
      expect(link?.text).toStartWith("Open in Gmail");
    }
  });

  test("has the download first, then the steps of the import", async () => {
    const { result, links, textsOf } = await shown({ filters: [star("a@x.example")] });
    expect(links[0]).toMatchObject({
      text: "Download mailFilters.xml",
      attributes: { href: FILE_HREF, download: "mailFilters.xml" },
    });
    expect(textsOf("li")).toEqual(result.how_to_import);
    expect(textsOf("summary")[0]).toBe(`Import it: ${textsOf("li").length} steps in Gmail`);
  });

  test("links to the file's text where the input is too long for an address", async () => {
    const input = { filters: [star("a@x.example")] };
    const { markup } = mailFilterView.body(mailFilter(input), { ...CONTEXT, input });
    expect(markup).toContain('href="#file-details"');
  });

  test.each([
    [3, []],
    [4, ["1 more filter"]],
    [20, ["17 more filters"]],
  ])("of %i filters folds all but the first three", async (count, folds) => {
    const filters = Array.from({ length: count }, (_, n) => star(`a${n}@x.example`));
    const { textsOf, elements } = await shown({ filters });
    expect(textsOf("summary").filter((text) => text.includes("more"))).toEqual(folds);
    expect(textsOf("h3").filter((text) => !text.startsWith("Checkup"))).toHaveLength(count);
    expect(new Set(elements.flatMap(({ attributes }) => attributes.id ?? [])).size).toBe(
      elements.filter(({ attributes }) => attributes.id !== undefined).length,
    );
  });

  test("says how many filters a long one became, and why", async () => {
    const { textsOf } = await shown({ filters: [{ from: senders, star: true }, star("a@b.c")] });
    expect(textsOf("p").filter((text) => text.includes("too long"))).toEqual([
      "In the file these are 2 filters that together do the same: a single one would be too long for Gmail.",
    ]);
  });

  test.each([
    [[star("a@x.example")], "1 filter, ready to import."],
    [[star("a@x.example"), star("b@x.example")], "2 filters, ready to import."],
    [[{ from: senders, star: true }], "1 filter, written as 2, ready to import."],
  ])("sums up %#", (filters, summary) => {
    expect(mailFilterView.summary(mailFilter({ filters }))).toBe(summary);
  });
});

describe("the mail filter's view of an opened export", () => {
  const input = { filters: [star("a@x.example"), star("b@x.example")] };
  const old = "from:(c@x.example) -> star";
  const opened = async (
    all: number,
    changed: number,
    gone: readonly string[],
    isMerged = false,
  ) => {
    const { result, counts, ...compared } = compareMailFilters(input, gmailExport());
    const comparison = {
      ...compared,
      result: { ...result, how_to_import: ["Import"] },
      counts: { ...counts, new: all, changed },
      only_there: gone,
    };
    const changes = exportChanges(comparison, 2, isMerged);
    const { markup } = mailFilterView.body(mailFilter(input), {
      ...CONTEXT,
      fileHref: FILE_HREF,
      input,
      extras: { changes: () => changes },
    });
    const elements = await elementsOf(markup);
    const ofTag = (tag: string) => elements.filter((element) => element.tag === tag);
    return {
      summary: mailFilterView.summary(mailFilter(input), changes),
      downloads: ofTag("a").flatMap(({ text, attributes }) =>
        "data-file" in attributes ? [text] : [],
      ),
      steps: ofTag("li").map(({ text }) => text),
      folds: ofTag("summary").map(({ text }) => text),
    };
  };
  const WHOLE = "the whole file, 2 filters";
  const LAST = "Only then delete the 1 old filter by hand, named below.";

  test.each<[number, number, string[], string, string[], string[]]>([
    [0, 0, [], "Nothing to import: your Gmail has 2 filters already.", [WHOLE], []],
    [0, 0, [old], "Nothing to import, 1 old filter to delete in Gmail.", [WHOLE], []],
    [1, 0, [], "1 new filter to import.", ["Download 1 new filter", WHOLE], ["Import"]],
    [
      1,
      1,
      [old],
      "1 changed filter to import, 1 old filter to delete in Gmail.",
      ["Download 1 changed filter", WHOLE],
      ["Import", LAST],
    ],
    [
      3,
      2,
      [old, old],
      "1 new and 2 changed filters to import, 2 old filters to delete in Gmail.",
      ["Download 1 new and 2 changed filters", WHOLE],
      ["Import", LAST.replace("1 old filter", "2 old filters")],
    ],
  ])(
    "with %i new, %i of them changed, and %j to delete",
    async (all, changed, gone, summary, downloads, steps) => {
      const page = await opened(all, changed, gone);
      expect(page).toMatchObject({ summary, downloads, steps });
      expect(page.folds.filter((text) => text.startsWith("Delete by hand"))).toHaveLength(
        gone.length > 0 ? 1 : 0,
      );
    },
  );

  test("has one download when nothing is left of a merge, and two before it", async () => {
    expect((await opened(2, 1, [old], true)).downloads).toEqual(["Download 2 new filters"]);
    expect((await opened(2, 1, [old])).downloads).toHaveLength(2);
  });
});
