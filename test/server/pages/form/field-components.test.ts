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

/** An exclusion where senders belong is rejected. */
const WRONG = "-x@y.example";

test.each<[string, string, string, string]>([
  // A text of a list, for which its text control stands.
  [MAIL, `filters[0].star=true&filters[0].from=${WRONG}`, "filters[0].from[0]", "filters[0].from"],
  // Behind a blank row.
  [
    MAIL,
    `filters[0].star=&filters[1].star=true&filters[1].from=${WRONG}`,
    "filters[1].from[0]",
    "filters[1].from",
  ],
  // A number, and a missing one.
  [
    COST,
    "zaps[0].action_steps=x&zaps[0].runs_per_month=1",
    "zaps[0].action_steps",
    "zaps[0].action_steps",
  ],
  [COST, "zaps[0].action_steps=1", "zaps[0].runs_per_month", "zaps[0].runs_per_month"],
  [
    MAIL,
    "filters[0].star=true&filters[0].importance=a",
    "filters[0].importance",
    "filters[0].importance",
  ],
  // A row as a whole.
  [MAIL, "filters[0].from=a@b.example", "filters[0]", ""],
  // The name of a variable: a wrong one, one behind a blank pair, and one that comes twice.
  [CONFIG, "name=a&command=b&env[0].key=1A&env[0].value=x", "env[0]", "env[0].key"],
  [CONFIG, "name=a&command=b&env[0].key=&env[1].key=a+b&env[1].value=x", "env[1]", "env[1].key"],
  [
    CONFIG,
    "name=a&command=b&env[0].key=A&env[0].value=x&env[1].key=A&env[1].value=y",
    "env[1]",
    "env[1].value",
  ],
])("%s?%s has its problem at %s", async (path, query, name, control) => {
  const { outcome, invalid, messages, texts, linked } = await show(`${path}?${query}`);
  expect(outcome).toBe("rejected");
  if (control === "") expect(invalid).toEqual([]);
  else expect(invalid).toContain(control);
  expect(Object.keys(messages)).toContain(name);
  // The list of all problems has it too, and leads there.
  expect(texts.problems).toContain(messages[name]?.slice(1) ?? "nothing");
  expect(linked).toContain(name);
});

test("a closed row has its problem in the list of all problems, which leads to it", async () => {
  const senders = ["a@b.example", "a@b.example", "a@b.example", WRONG];
  const filters = senders.map((from) => ({ from: [from], star: true }));
  const { linked, texts } = await show(MAIL + asQuery(JSON.stringify({ filters })));
  expect(linked).toContain("filters[3].from[0]");
  expect(texts.problems).toStartWith(`from ${WRONG}, From any of 1: `);
  expect(texts["filters[3]"]).toEndWith("Correct this");
});

test("what an input in JSON has and a form cannot is one sentence", async () => {
  const input = JSON.stringify({ name: 1, command: 2, args: 3 });
  const { outcome, texts, messages, invalid } = await show(CONFIG + asQuery(input));
  expect({ outcome, messages, invalid }).toEqual({
    outcome: "rejected",
    messages: {},
    invalid: [],
  });
  expect(texts.status).toStartWith("Fix 1 problem");
  expect(texts.problems).toBe(
    "This input cannot be opened: name: must be a string; command: must be a string; args: must be an array",
  );
});

describe("a warning", () => {
  test("is beside its control, which is not wrong", async () => {
    const from = ["", "Bob <b@x.example>", "@gmail.com"].map((text) => `&filters[0].from=${text}`);
    const query = `?filters[0].never_spam=true${from.join("")}`;
    const { outcome, messages, invalid } = await show(MAIL + query);
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
