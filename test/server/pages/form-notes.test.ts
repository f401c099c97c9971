import { describe, expect, test } from "bun:test";
import { runningServer } from "../running-server.ts";
import { asQuery } from "../tool-calls.ts";
import { shownPage } from "./shown-page.ts";

const server = runningServer();

const MAIL = "/tools/mail-filter-generator";
const COST = "/tools/automation-cost-calculator";
const CONFIG = "/tools/mcp-config-generator";

const show = async (path: string) => shownPage(await server.text(path));
const asFields = (fields: Readonly<Record<string, string>>) => `?${new URLSearchParams(fields)}`;

/** An exclusion where senders belong is refused. */
const WRONG = "-x@y.example";
const STAR = { "filters[0].star": "true" };

describe("a problem stands beside the control it is about", () => {
  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    ["of a text", MAIL, { ...STAR, "filters[0].from[0]": WRONG }, "filters[0].from[0]"],
    [
      "behind blank rows",
      MAIL,
      { ...STAR, "filters[0].from[0]": "", "filters[0].from[1]": "", "filters[0].from[2]": WRONG },
      "filters[0].from[2]",
    ],
    [
      "in a row behind blank ones",
      MAIL,
      { "filters[0].label": "", "filters[1].star": "true", "filters[1].from[0]": WRONG },
      "filters[1].from[0]",
    ],
    [
      "of a number",
      COST,
      { "zaps[0].action_steps": "x", "zaps[0].runs_per_month": "1" },
      "zaps[0].action_steps",
    ],
    ["of what is missing", COST, { "zaps[0].action_steps": "1" }, "zaps[0].runs_per_month"],
    ["of a choice", COST, { billing: "weekly", "zaps[0].name": "a" }, "billing"],
  ])("%s", async (_, path, fields, name) => {
    const { outcome, invalid, remarks, texts, linked } = await show(path + asFields(fields));
    expect(outcome).toBe("refused");
    expect(invalid).toContain(name);
    expect(Object.keys(remarks)).toContain(name);
    // The list of all problems has it too, and leads there.
    expect(texts.status).toContain(remarks[name]?.slice(1) ?? "nothing");
    expect(linked).toContain(name);
  });

  test("of a row as a whole", async () => {
    const { remarks, invalid } = await show(
      MAIL + asFields({ "filters[0].from[0]": "a@b.example" }),
    );
    expect(Object.keys(remarks)).toEqual(["filters[0]"]);
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
    ["a value without a name", pair(0, "", "x"), ["env[0]"]],
    ["no blank pair before one", { ...pair(0, "", ""), ...pair(1, "", "x") }, ["env[1]"]],
    [
      "a name that comes twice",
      { ...pair(0, "A", "1"), ...pair(1, "A", "2") },
      ["env[0]", "env[1]"],
    ],
  ])("%s is marked", async (_, pairs, rows) => {
    const page = await show(CONFIG + asFields({ ...SERVER, ...pairs }));
    const { outcome, remarks, invalid, linked } = page;
    expect(outcome).toBe("refused");
    expect(Object.keys(remarks)).toEqual([...rows]);
    expect(linked).toContain(rows[0] ?? "a row");
    expect(invalid).toEqual(rows.flatMap((row) => [`${row}.key`, `${row}.value`]));
  });
});

describe("an input in JSON has blank rows too", () => {
  test.each<[string, object, readonly string[]]>([
    ["an empty text", { from: ["", "a@b.example"] }, ["filters[0].from[0]"]],
    ["one that is wrong behind it", { from: ["", WRONG] }, ["filters[0].from[0]"]],
    ["one of a wrong type", { subject: ["a", 5] }, ["filters[0].subject[1]"]],
  ])("%s", async (_, fields, marked) => {
    const input = JSON.stringify({ filters: [{ star: true, ...fields }] });
    const { outcome, invalid } = await show(MAIL + asQuery(input));
    expect({ outcome, invalid }).toEqual({ outcome: "refused", invalid: [...marked] });
  });

  test("a pair of nothing", async () => {
    const { remarks } = await show(CONFIG + asQuery('{"name":"a","command":"b","env":{"":""}}'));
    expect(Object.keys(remarks)).toEqual(["env[0]"]);
  });

  test("a filter of nothing", async () => {
    const { remarks } = await show(
      MAIL + asQuery('{"filters":[{"star":true,"from":["a@b.co"]},{}]}'),
    );
    expect(Object.keys(remarks)).toEqual(["filters[1]"]);
  });
});

describe("a warning", () => {
  test("stands beside its control, which is not wrong, and with the result", async () => {
    const fields = {
      "filters[0].never_spam": "true",
      "filters[0].from[0]": "",
      "filters[0].from[1]": "Bob <b@x.example>",
      "filters[0].from[2]": "@gmail.com",
    };
    const { outcome, remarks, invalid, texts } = await show(MAIL + asFields(fields));
    expect({ outcome, invalid }).toEqual({ outcome: "done", invalid: [] });
    expect(Object.keys(remarks)).toEqual(["filters[0].from[1]", "filters[0].never_spam"]);
    for (const remark of Object.values(remarks)) expect(texts.result).toContain(remark.slice(1));
  });

  test("on a part of the result stands there alone", async () => {
    const input = { name: "a", command: "b", args: ["${HOME}"] };
    const { outcome, remarks } = await show(CONFIG + asQuery(JSON.stringify(input)));
    expect(outcome).toBe("done");
    expect(Object.keys(remarks).filter((name) => name.startsWith("clients"))).toEqual([]);
  });
});
