import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { fieldsOf } from "../../../src/fields.ts";
import { elementsOf, type PageElement } from "../page-elements.ts";
import { runningServer } from "../running-server.ts";
import { asQuery } from "../tool-calls.ts";
import { readForm } from "./read-form.ts";
import { sendForm } from "./send-form.ts";
import { shownPage } from "./shown-page.ts";

const server = runningServer();

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

/** The names and values of what is filled in. */
const filledIn = (form: Iterable<readonly [string, string]>) =>
  [...form].filter(([, value]) => value !== "");

/** A form without one of its rows; those behind it move up. */
function without(form: URLSearchParams, row: string): [string, string][] {
  const [, list = "", number] = /^(.*)\[(\d+)\]$/.exec(row) ?? [];
  return [...form]
    .filter(([name]) => !isIn(row, name))
    .map(([name, value]) => {
      const [, index, rest] = /^\[(\d+)\](.*)$/.exec(name.slice(list.length)) ?? [];
      const isBehind = name.startsWith(`${list}[`) && Number(index) > Number(number);
      return [isBehind ? `${list}[${Number(index) - 1}]${rest}` : name, value];
    });
}

for (const contract of tools) {
  const path = toolPagePath(contract);
  const page = await server.text(path + asQuery(JSON.stringify(INPUTS[contract.name])));
  const form = readForm(page);
  const commands = (await rowButtons(page)).flatMap(({ attributes }) => attributes.value ?? []);
  const press = async (command: string) =>
    readForm(await sendForm(server.fetch, path, page, command));

  describe(`${path}: a button of the form`, () => {
    test.each(commands.filter((command) => command.startsWith("add ")))("%s", async (command) => {
      const list = command.slice("add ".length);
      const grown = await press(command);
      const added = [...grown.keys()].filter((name) => !form.has(name));
      const [row] = added[0]?.slice(list.length).match(/^\[\d+\]/) ?? [];
      expect(added.length).toBeGreaterThan(0);
      expect(added.filter((name) => !isIn(`${list}${row}`, name))).toEqual([]);
      expect(filledIn(grown)).toEqual(filledIn(form));
    });

    test.each(commands.filter((command) => command.startsWith("remove ")))(
      "%s",
      async (command) => {
        const left = filledIn(await press(command));
        expect(left).toEqual(filledIn(without(form, command.slice("remove ".length))));
        expect(left.length).toBeLessThan(filledIn(form).length);
      },
    );

    test("clear", async () => {
      const fields = fieldsOf(contract.input).filter((field) => field.default);
      const defaults = fields.map((field) => [field.name, String(field.default)] as const);
      expect(filledIn(await press("clear"))).toEqual(
        defaults.map(([name, value]) => [name, value]),
      );
    });
  });
}

const ZAP = { action_steps: 1, runs_per_month: 1 };
const many = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);

describe("where a list is full, no button adds to it", () => {
  const filter = { from: many(20, "a@x.example"), to: many(19, "b@x.example"), star: true };

  test.each<[string, string, object, string, boolean]>([
    ["20 senders", "mail-filter-generator", { filters: [filter] }, "filters[0].from", true],
    ["19 recipients", "mail-filter-generator", { filters: [filter] }, "filters[0].to", false],
    ["20 filters", "mail-filter-generator", { filters: many(20, { star: true }) }, "filters", true],
    ["25 Zaps", "automation-cost-calculator", { zaps: many(25, ZAP) }, "zaps", true],
    ["24 Zaps", "automation-cost-calculator", { zaps: many(24, ZAP) }, "zaps", false],
    ["50 arguments", "mcp-config-generator", { name: "a", args: many(50, "b") }, "args", true],
  ])("%s", async (_, segment, input, list, isFull) => {
    const page = await server.text(`/tools/${segment}${asQuery(JSON.stringify(input))}`);
    const button = (await rowButtons(page)).find(
      ({ attributes }) => attributes.value === `add ${list}`,
    );
    expect(button?.attributes).toBeDefined();
    expect("disabled" in (button?.attributes ?? {})).toBe(isFull);
  });
});

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

  test("nor a problem for each of a thousand rows with one name", async () => {
    const rows = Array.from({ length: 1_000 }, (_, row) => `env[${row}].key=A`).join("&");
    const page = await server.text(`/tools/mcp-config-generator?name=a&command=b&${rows}`);
    expect((await shownPage(page)).texts.status).toContain("must be given once");
    expect(page.length).toBeLessThan(2_000_000);
  });

  test("nor more problems than somebody reads", async () => {
    const input = JSON.stringify({ zaps: many(500, {}) });
    const page = await server.text(`/tools/automation-cost-calculator${asQuery(input)}`);
    const { status = "" } = (await shownPage(page)).texts;
    expect(status).toContain("1000 things to put right first");
    expect(status.split("\n").filter((line) => line.includes("is required"))).toHaveLength(20);
    expect(status).toContain("and 980 more");
  });
});
