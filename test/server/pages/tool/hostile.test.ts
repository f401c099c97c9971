import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { automationCostContract, mailFilterContract, tools } from "../../../../schemas/index.ts";
import { toolPagePath } from "../../../../server/paths.ts";
import { tries } from "../../../support/runs.ts";
import { elementsOf, faultLog } from "../../support/expect.ts";
import { formPost, readForm } from "../../support/forms.ts";
import { asQuery } from "../../support/http.ts";
import { BASE_URL, runningServer } from "../../support/servers.ts";

/** Each value breaks where it is made a string or a number. */
const ODD_FILTER = JSON.stringify({
  name: { toString: 1 },
  from: [{ toString: 1 }],
  larger_than_mb: { toString: 1 },
});

describe("the page of a hostile input", () => {
  const { faults, log } = faultLog();
  const server = runningServer({ log });

  /** Each tries to escape from its place: a text, an attribute, a comment, a script, a field. */
  const BREAKOUTS = [
    ...["<x-evil>", "</p><x-evil>", "<x-evil", '"><x-evil>', "'><x-evil>", '" x-evil="'],
    ...["' x-evil='", " x-evil=1 ", "--><x-evil>", "]]><x-evil>", "</script><x-evil>"],
    ...["</textarea><x-evil>", "</title><x-evil>", "</select><x-evil>", "<!--", "<script>"],
    ...["&lt;x-evil&gt;", "&#60;x-evil>"],
    ...["&quot; x-evil=1", "&", "&amp", "<", ">", '"', "'", "`", "\\u003cx-evil>", "${x}", "{{x}}"],
    ...["javascript:x", "\n", "\r\n", " ", "a", "@x.example", "é", "😀", "\u2028"],
  ];

  const text = fc
    .array(fc.oneof(fc.constantFrom(...BREAKOUTS), fc.string({ unit: "grapheme", maxLength: 3 })), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(""));

  /** A value with hostile texts in place of its own, also as keys; a few stay, to be taken. */
  const hostile = (value: unknown): fc.Arbitrary<unknown> => {
    if (Array.isArray(value)) return fc.tuple(...value.map(hostile));
    if (typeof value === "object" && value !== null)
      return fc.record(
        Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hostile(part)])),
      );
    const weight = typeof value === "string" ? 2 : 20;
    return fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: text });
  };

  const pairs = fc.dictionary(fc.oneof(fc.constantFrom("A", "B_KEY"), text), text, { maxKeys: 2 });
  const url = text.map((path) => `https://x.example/${encodeURI(path.toWellFormed())}`);
  const INPUTS = {
    mail_filter_generator: hostile(mailFilterContract.example_input),
    automation_cost_calculator: hostile(automationCostContract.example_input),
    mcp_config_generator: fc.oneof(
      fc.record({ name: hostile("a"), command: text, args: fc.array(text), env: pairs }),
      fc.record({ name: hostile("a"), url: fc.oneof(text, url), headers: pairs }),
    ),
  };

  /** What random inputs have found. */
  const FOUND: Readonly<Record<keyof typeof INPUTS, [object][]>> = {
    mail_filter_generator: [[{ filters: [{ name: "\n\n", star: true }] }]],
    automation_cost_calculator: [],
    mcp_config_generator: [[{ name: "a", command: "", args: [], env: { "]]><x-evil>": "" } }]],
  };

  /** The addresses to which a page may link. */
  const PROTOCOLS = ["http:", "https:", "cursor:", "lmstudio:", "vscode:"];

  /** Expects a page of our own elements and attributes, and addresses that run nothing. */
  async function expectOwnMarkup(page: string): Promise<void> {
    const elements = await elementsOf(page);
    const names = elements.flatMap(({ tag, attributes }) => [tag, ...Object.keys(attributes)]);
    expect(
      names.filter((name) => !/^[a-z][a-z0-9-]*$/i.test(name) || name.includes("evil")),
    ).toEqual([]);
    expect(elements.filter(({ tag }) => tag === "script")).toHaveLength(3);
    const hrefs = elements.flatMap(({ attributes: { href, action, src } }) => [href, action, src]);
    const protocols = hrefs.map((href = "") => new URL(href, BASE_URL).protocol);
    expect(protocols.filter((protocol) => !PROTOCOLS.includes(protocol))).toEqual([]);
  }

  describe.each(tools.map((contract) => [toolPagePath(contract), contract.name] as const))(
    "%s",
    (path, name) => {
      test("shows whatever it is given as text, in JSON and as fields", async () => {
        const outcomes = new Set<string>();
        const property = fc.asyncProperty(INPUTS[name], async (input: unknown) => {
          const ofJson = await server.text(path + asQuery(JSON.stringify(input)));
          const form = readForm(ofJson);
          // What a form cannot have itself is reported until it is sent.
          form.delete("link_problem");
          const ofFields = await server.text(`${path}?${form}`);
          for (const page of [ofJson, ofFields]) {
            await expectOwnMarkup(page);
            outcomes.add(/data-outcome="(\w+)"/.exec(page)?.[1] ?? "none");
          }
          const again = readForm(ofFields);
          // Once all is right, no field counts as left.
          for (const each of [form, again]) each.delete("left");
          expect(String(again)).toBe(String(form));
          expect(faults).toEqual([]);
        });
        await fc.assert(property, { ...tries(20), examples: FOUND[name] });
        expect([...outcomes].sort()).toEqual(["done", "rejected"]);
      });
    },
  );
});

describe("the page of hostile fields", () => {
  const { faults, log } = faultLog();
  const server = runningServer({ log });

  /** The most that a form with every list full has, and more than any other needs. */
  const MAX_PAGE = 2_000_000;

  const PATHS = tools.map(toolPagePath);
  const POSTED = "/tools/mcp-config-generator";

  async function expectPage(response: Promise<Response>, expected = 200): Promise<void> {
    const { status, headers, text } = await response.then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
    }));
    expect([status, headers.get("content-type")]).toEqual([expected, "text/html; charset=utf-8"]);
    expect(text.endsWith("</html>\n")).toBe(true);
    expect(text.length).toBeLessThan(MAX_PAGE);
    expect(faults).toEqual([]);
  }

  test("a link says first what it forwards, and how much more it does", async () => {
    const filters = Array.from({ length: 19 }, (_, at) => ({ from: [`a${at}`], delete: true }));
    const forwarding = { from: ["x"], delete: true, forward_to: "eve@x.example" };
    const input = JSON.stringify({ filters: [...filters, forwarding] });
    const page = await server.text(`/tools/mail-filter-generator${asQuery(input)}`);
    const [, linked = ""] = /id="from-link">(.*?)<\/ul>/s.exec(page) ?? [];
    const effects = linked.match(/(?<=<li[^>]*>)[^<]+/g);
    expect(effects?.[0]).toContain("forward mail to eve@x.example");
    expect(effects?.[20]).toBe("and 1 more");
  });

  describe("fields without number give a page of a size", () => {
    const rows = (length: number, field: (row: number) => string) =>
      Array.from({ length }, (_, row) => field(row)).join("&");

    test.each<[string, string]>([
      ["four thousand fields", rows(4_000, (row) => `filters[${row % 40}].from[${row % 100}]=a`)],
      ["a thousand Zaps", rows(1_000, (row) => `zaps[${row}].name=a`)],
      ["a value of 100 KB", `name=${"a".repeat(100_000)}`],
      ["100 KB of brackets", `args${"[0]".repeat(33_000)}=a`],
      ["an input of 100 KB", `input=${"[".repeat(100_000)}`],
      ...["open filters[0]", "fix domains"].map((command): [string, string] => [
        `a closed filter without texts: ${command}`,
        `filters[0]={"from":[{"toString":1}],"to":5,"label":{}}&do=${command}`,
      ]),
      ["closed filters of other types", `filters[0]=${ODD_FILTER}&filters[1].from=x`],
      ["thirty thousand lines", `filters[0].from=${"a%0A".repeat(15_000)}`],
      ["a command of 100 KB", `name=a&do=add+${"args[0]".repeat(14_000)}`],
    ])("%s", async (_, fields) => {
      for (const path of PATHS) await expectPage(server.fetch(`${path}?${fields}`));
    });

    test("a closed filter that is nested deeply", async () => {
      const deep = "[".repeat(60_000) + "]".repeat(60_000);
      for (const path of PATHS)
        await expectPage(server.fetch(path, formPost(`filters[0]={"from":${deep}}`)));
    });

    test.each<[string, string]>([
      ["the same name ten thousand times", rows(10_000, () => "name=a")],
      ["nothing but separators", "&".repeat(60_000)],
    ])("or are too many to be read: %s", async (_, fields) => {
      for (const path of PATHS) await expectPage(server.fetch(`${path}?${fields}`), 413);
      await expectPage(server.fetch(POSTED, formPost(fields)), 413);
    });
  });
});
