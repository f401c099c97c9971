import { describe, expect, test } from "bun:test";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/links.ts";
import { priceBook } from "../../../src/index.ts";
import { runningServer } from "../running-server.ts";
import { asQuery, inputOfBytes } from "../tool-calls.ts";
import { readForm } from "./read-form.ts";
import { shownPage } from "./shown-page.ts";

const server = runningServer();

const MAIL = "/tools/mail-filter-generator";
const COST = "/tools/automation-cost-calculator";
const CONFIG = "/tools/mcp-config-generator";

const STARRED = { filters: [{ from: ["a@x.example"], star: true }] };
const STARRED_FIELDS = "?filters[0].from[0]=a@x.example&filters[0].star=true";

const show = async (path: string) => shownPage(await server.text(path));

/** Who asks is told the same as anybody, or a page of their own that nobody keeps. */
const caching = async (path: string) => (await server.fetch(path)).headers.get("cache-control");
const SHARED = "public, no-cache";
const OWN = "no-store";

describe.each(tools.map((contract) => [toolPagePath(contract), contract] as const))(
  "%s",
  (path, contract) => {
    test("shows the example with its result", async () => {
      const page = await server.text(path);
      const { outcome, remarks, texts } = await shownPage(page);
      expect({ outcome, remarks }).toEqual({ outcome: "done", remarks: {} });
      expect(texts.result?.length).toBeGreaterThan(100);
      const asInput = await server.text(path + asQuery(JSON.stringify(contract.example_input)));
      expect(String(readForm(page))).toBe(String(readForm(asInput)));
      expect(await caching(path)).toBe(SHARED);
    });

    test.each([
      "?",
      "?utm_source=x&utm_medium=mail",
      "?fbclid=1&x[0]=y",
      "?do=",
      "?do=add+zaps",
      "?%zz&=&&",
      "?Input={}",
    ])("shows it also with %s", async (query) => {
      expect((await server.text(path + query)) === (await server.text(path))).toBe(true);
      expect(await caching(path + query)).toBe(SHARED);
    });

    test("is blank after do=clear", async () => {
      const { outcome, texts } = await show(`${path}?do=clear`);
      expect({ outcome, result: texts.result }).toEqual({ outcome: "blank", result: "" });
    });

    test.each(["{", "", "undefined", "{'a':1}", '{"a":"\\ud800"}'])(
      "says that the input %j is no JSON",
      async (input) => {
        const response = await server.fetch(path + asQuery(input));
        const { outcome, texts } = await shownPage(await response.text());
        expect([response.status, outcome, texts.result]).toEqual([200, "refused", ""]);
        expect(texts.status).toContain("The input must be JSON");
        expect(response.headers.get("cache-control")).toBe(OWN);
      },
    );

    test.each([
      "null",
      "[]",
      '"a"',
      "5",
      "{}",
      '{"unknown":1}',
      '{"filters":"a","zaps":5,"args":{}}',
    ])("says what is wrong with the input %s", async (input) => {
      const response = await server.fetch(path + asQuery(input));
      const { outcome, texts } = await shownPage(await response.text());
      expect([response.status, outcome, texts.result]).toEqual([200, "refused", ""]);
    });

    test("says that an input is too large", async () => {
      const response = await server.fetch(path + asQuery(inputOfBytes(16_385)));
      const { outcome, texts } = await shownPage(await response.text());
      expect([response.status, outcome, texts.result]).toEqual([200, "refused", ""]);
      expect(texts.status).toContain("16384 bytes");
    });
  },
);

describe("an input in the address", () => {
  test("is shown as its fields would be", async () => {
    const asInput = await server.text(MAIL + asQuery(JSON.stringify(STARRED)));
    const asFields = await server.text(MAIL + STARRED_FIELDS);
    expect(asFields === asInput).toBe(true);
    expect((await shownPage(asInput)).texts.result).toContain("from:(a@x.example)");
    expect(await caching(MAIL + STARRED_FIELDS)).toBe(OWN);
  });

  test("may have a question mark as it is", async () => {
    const { texts } = await show(`${MAIL}?input={"filters":[{"subject":["what?"],"star":true}]}`);
    expect(texts.result).toContain("what?");
  });

  test("counts before fields", async () => {
    const { texts } = await show(`${MAIL}${asQuery(JSON.stringify(STARRED))}&filters[0].label=b`);
    expect(texts.result).toContain("from:(a@x.example)");
  });

  test("of 16,384 bytes is taken, white space included", async () => {
    const small = '{"name":"a","command":"b"}';
    const outcomes = [inputOfBytes(16_384), small.padEnd(16_384), small.padEnd(16_385)].map(
      async (input) => (await show(CONFIG + asQuery(input))).outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(["done", "done", "refused"]);
  });
});

test("fields that make an input of more than 16 KiB are refused with the form as it was", async () => {
  const fields = new URLSearchParams({ name: "a", command: "b" });
  const text = "x".repeat(900);
  for (let row = 0; row < 20; row += 1) fields.append(`args[${row}]`, text);
  const page = await server.text(`${CONFIG}?${fields}`);
  const { outcome, texts } = await shownPage(page);
  expect(outcome).toBe("refused");
  expect(texts.status).toContain("16384 bytes");
  expect(readForm(page).getAll("args[19]")).toEqual([text]);
});

describe("the operator's prices", () => {
  const dear = JSON.parse(JSON.stringify(priceBook).replace('"cents":1999', '"cents":1234'));
  const own = runningServer({ settings: { automation_cost_calculator: { price_book: dear } } });

  test("count on the page too", async () => {
    const query = asQuery(JSON.stringify({ zaps: [{ action_steps: 2, runs_per_month: 100 }] }));
    const { texts } = await shownPage(await own.text(COST + query));
    expect(texts.result).toContain("$12.34");
    expect((await show(COST + query)).texts.result).not.toContain("$12.34");
  });
});
