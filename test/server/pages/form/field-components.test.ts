import { describe, expect, test } from "bun:test";
import { tools } from "../../../../schemas/index.ts";
import { parseForm, toInput } from "../../../../server/pages/form/form-values.ts";
import { toolPagesByName } from "../../../../server/pages/tool-page.tsx";
import { toolPagePath } from "../../../../server/paths.ts";
import { elementsOf, type PageElement } from "../../support/expect.ts";
import { readForm, sendForm, shownPage } from "../../support/forms.ts";
import { asQuery } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";

const server = runningServer();

const MAIL = "/tools/mail-filter-generator";
const COST = "/tools/automation-cost-calculator";
const CONFIG = "/tools/mcp-config-generator";

const show = async (path: string) => shownPage(await server.text(path));
const asFields = (fields: Sent) => {
  const controls = Object.entries(fields).flatMap(([name, texts]) =>
    [texts].flat().map((text) => [name, text]),
  );
  return `?${new URLSearchParams(controls)}`;
};

/** The texts of a form by the names of their controls. */
type Sent = Readonly<Record<string, string | readonly string[]>>;

/** An exclusion where senders belong is rejected. */
const WRONG = "-x@y.example";
const STAR = { "filters[0].star": "true" };

test.each([MAIL, CONFIG])("%s: only the box of a list looks like one", async (path) => {
  const boxes = (await elementsOf(await server.text(path))).filter(({ attributes }) =>
    attributes.class?.split(" ").includes("tokens"),
  );
  expect(new Set(boxes.map(({ tag }) => tag))).toEqual(new Set(["ul"]));
});

describe("a problem is beside its control", () => {
  test.each<[string, string, Sent, string]>([
    ["of a text", MAIL, { ...STAR, "filters[0].from": WRONG }, "filters[0].from[0]"],
    [
      "in a row behind blank ones",
      MAIL,
      { "filters[0].star": "", "filters[1].star": "true", "filters[1].from": WRONG },
      "filters[1].from[0]",
    ],
    [
      "of a number",
      COST,
      { "zaps[0].action_steps": "x", "zaps[0].runs_per_month": "1" },
      "zaps[0].action_steps",
    ],
    ["of what is missing", COST, { "zaps[0].action_steps": "1" }, "zaps[0].runs_per_month"],
    ["of a choice", MAIL, { ...STAR, "filters[0].importance": "a" }, "filters[0].importance"],
  ])("%s", async (_, path, fields, name) => {
    const { outcome, invalid, messages, texts, linked } = await show(path + asFields(fields));
    expect(outcome).toBe("rejected");
    // The text control of a list stands for its texts.
    expect(invalid).toContain(name.replace(/(?<=\.from)\[\d+\]$/, ""));
    expect(Object.keys(messages)).toContain(name);
    // The list of all problems has it too, and leads there.
    expect(texts.problems).toContain(messages[name]?.slice(1) ?? "nothing");
    expect(linked).toContain(name);
  });

  test("in a closed row, which the list of all problems leads to", async () => {
    const stars = Array.from({ length: 4 }, (_, row) => ({
      from: [row < 3 ? "a@b.example" : WRONG],
      star: true,
    }));
    const { linked, texts } = await show(MAIL + asQuery(JSON.stringify({ filters: stars })));
    expect(linked).toContain("filters[3].from[0]");
    expect(texts.problems).toStartWith(`from ${WRONG}, From any of 1: `);
    expect(texts["filters[3]"]).toEndWith("Correct this");
  });

  test("of a row as a whole", async () => {
    const { messages, invalid } = await show(MAIL + asFields({ "filters[0].from": "a@b.example" }));
    expect(Object.keys(messages)).toEqual(["filters[0]"]);
    expect(invalid).toEqual([]);
  });
});

describe("in a map", () => {
  const pair = (index: number, key: string, value: string) => ({
    [`env[${index}].key`]: key,
    [`env[${index}].value`]: value,
  });
  const SERVER = { name: "a", command: "b" };

  test.each<[string, object, readonly string[]]>([
    ["a wrong name", pair(0, "1A", "x"), ["env[0]"]],
    ["one behind a blank pair", { ...pair(0, "", ""), ...pair(1, "a b", "x") }, ["env[1]"]],
    ["a name that comes twice", { ...pair(0, "A", "1"), ...pair(1, "A", "2") }, ["env[1]"]],
  ])("%s is marked", async (_, pairs, rows) => {
    const page = await show(CONFIG + asFields({ ...SERVER, ...pairs }));
    const { outcome, messages, invalid, linked } = page;
    expect(outcome).toBe("rejected");
    expect(Object.keys(messages)).toEqual([...rows]);
    expect(linked).toContain(rows[0] ?? "a row");
    expect(invalid).toEqual(rows.flatMap((row) => [`${row}.key`, `${row}.value`]));
  });
});

describe("what an input in JSON has and a form cannot is one sentence", () => {
  const star = { star: true };
  test.each<[string, string, unknown, string]>([
    [
      "a text for a list",
      MAIL,
      { filters: [{ ...star, from: "a@b.example" }] },
      "filters[0].from: must be an array",
    ],
    [
      "a text for a number",
      COST,
      { zaps: [{ action_steps: "2", runs_per_month: 1 }] },
      "zaps[0].action_steps: must be a number",
    ],
    [
      "several",
      CONFIG,
      { name: 1, command: 2, args: 3 },
      "name: must be a string; command: must be a string; args: must be an array",
    ],
  ])("%s", async (_, path, input, problem) => {
    const { outcome, texts, messages, invalid } = await show(path + asQuery(JSON.stringify(input)));
    expect({ outcome, messages, invalid }).toEqual({
      outcome: "rejected",
      messages: {},
      invalid: [],
    });
    expect(texts.status).toStartWith("Fix 1 problem");
    expect(texts.problems).toStartWith("This input cannot be opened: ");
    expect(texts.problems).toContain(problem);
  });
});

describe("a warning", () => {
  test("is beside its control, which is not wrong", async () => {
    const fields = {
      "filters[0].never_spam": "true",
      "filters[0].from": ["", "Bob <b@x.example>", "@gmail.com"],
    };
    const { outcome, messages, invalid } = await show(MAIL + asFields(fields));
    expect({ outcome, invalid }).toEqual({ outcome: "done", invalid: [] });
    expect(Object.keys(messages)).toEqual(["filters[0].from[1]", "filters[0].never_spam"]);
  });

  test("on a part of the result is only there", async () => {
    const input = { name: "a", command: "b", args: ["${HOME}"] };
    const { outcome, messages } = await show(CONFIG + asQuery(JSON.stringify(input)));
    expect(outcome).toBe("done");
    expect(Object.keys(messages).filter((name) => name.startsWith("clients"))).toEqual([]);
  });
});

/** Inputs whose forms have rows of every kind. */
const INPUTS = {
  mail_filter_generator: {
    filters: [
      { from: ["a@x.example", "b@x.example"], subject: ["c"], star: true },
      { to: ["d@x.example"], importance: "never", larger_than_mb: 2.5 },
    ],
  },
  automation_cost_calculator: {
    zaps: [
      { name: "a", action_steps: 2, runs_per_month: 3 },
      { action_steps: 4, runs_per_month: 0 },
      { action_steps: 5, runs_per_month: 6 },
    ],
    billing: "monthly",
    team: true,
  },
  mcp_config_generator: {
    name: "a",
    command: "b",
    args: ["c", "d\ne", "f"],
    env: { G: "h", I: "" },
  },
};

const rowButtons = async (page: string): Promise<readonly PageElement[]> =>
  (await elementsOf(page)).filter(({ attributes }) => attributes.name === "do");

const isIn = (row: string, name: string): boolean =>
  name === row || name.startsWith(`${row}.`) || name.startsWith(`${row}[`);

/** A form without one of its rows; the others keep their names. The texts of a list have one name. */
function without(form: URLSearchParams, row: string): [string, string][] {
  const [, list = "", index] = /^(.*)\[(\d+)\]$/.exec(row) ?? [];
  const text = [...form].filter(([name]) => name === list)[Number(index)];
  return [...form].filter(
    ([name, value]) => !isIn(row, name) && !(name === text?.[0] && value === text[1]),
  );
}

for (const contract of tools) {
  const path = toolPagePath(contract);
  const page = await server.text(path + asQuery(JSON.stringify(INPUTS[contract.name])));
  const form = readForm(page);
  const intents = (await rowButtons(page)).flatMap(({ attributes }) => attributes.value ?? []);
  const press = async (intent: string) =>
    readForm(await sendForm(server.fetch, path, page, intent));
  const { fields } = toolPagesByName.get(contract.name) ?? { fields: {} };
  const inputOf = (entries: Iterable<readonly [string, string]>) =>
    toInput(parseForm(entries), fields).input;

  describe(`${path}: a button of the form`, () => {
    test.each(intents.filter((intent) => intent.startsWith("add ")))("%s", async (intent) => {
      const list = intent.slice("add ".length);
      const grown = await press(intent);
      // Another filter is closed.
      const added = [...grown.keys()].filter(
        (name) => !form.has(name) && !form.has(`${name}.from`),
      );
      const [row] = added[0]?.slice(list.length).match(/^\[\d+\]/) ?? [];
      expect(added.length).toBeGreaterThan(0);
      expect(added.filter((name) => !isIn(`${list}${row}`, name))).toEqual([]);
      expect(inputOf(grown)).toEqual(inputOf(form));
    });

    test.each(intents.filter((intent) => intent.startsWith("remove ")))("%s", async (intent) => {
      const left = inputOf(await press(intent));
      expect(left).toEqual(inputOf(without(form, intent.slice("remove ".length))));
    });

    test("clear", async () => {
      const left = [...(await press("clear"))].flatMap(([name, value]) => (value ? name : []));
      expect(left.filter((name) => !/^(?:use|transport|billing)$/.test(name))).toEqual([]);
    });
  });
}

test("a text shows an example of what it takes, a list only while it is empty", async () => {
  const page = await server.text(CONFIG + asFields({ args: ["a", "b"] }));
  const examples = (await elementsOf(page)).flatMap(({ attributes: { name, placeholder } }) =>
    name && placeholder ? [[name, placeholder]] : [],
  );
  const pair = (name: string) => ({ [`${name}[0].key`]: "Name", [`${name}[0].value`]: "Value" });
  const texts = {
    paste: "e.g. npx -y @acme/notes",
    name: "e.g. files",
    command: "e.g. npx",
    url: "https://mcp.example.com/mcp",
  };
  expect(Object.fromEntries(examples)).toEqual({
    ...texts,
    ...pair("env"),
    ...pair("headers"),
    paste: "e.g. npx -y @acme/notes",
  });
});

const ZAP = { action_steps: 1, runs_per_month: 1 };
const many = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);

describe("of rows without number", () => {
  test.each<[string, string, object, string]>([
    ["filters", "mail-filter-generator", { filters: many(5_000, {}) }, "20 items"],
    ["Zaps", "automation-cost-calculator", { zaps: many(400, ZAP) }, "25 items"],
    ["arguments", "mcp-config-generator", { name: "a", args: many(4_000, "") }, "50 items"],
  ])(
    "the page shows no more %s than show that they are too many",
    async (_, segment, input, limit) => {
      const page = await server.text(`/tools/${segment}${asQuery(JSON.stringify(input))}`);
      expect(page.includes(`ust have at most ${limit}`)).toBe(true);
      expect(page.length).toBeLessThan(2_000_000);
    },
  );
});

test("the categories of a mail filter have the names of Gmail's tabs", async () => {
  const elements = await elementsOf(await server.text(MAIL));
  const list = elements.findIndex(({ attributes }) => attributes.id === "filters[0].category");
  const options = elements.slice(list + 1, list + 7).map(({ text }) => text);
  expect(options).toEqual(["No change", "Primary", "Social", "Promotions", "Updates", "Forums"]);
});
