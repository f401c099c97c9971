import { describe, expect, test } from "bun:test";
import type { InferOutput } from "valibot";
import { type PriceBookSchema, tools } from "../../schemas/index.ts";
import { callTool, priceBook } from "../../src/index.ts";
import { type GivenSettings, validSetting } from "../../src/tool.ts";

const [mailFilter, cost] = tools;
/** A book that can be changed. */
const newBook = (): InferOutput<typeof PriceBookSchema> => JSON.parse(JSON.stringify(priceBook));
const book = newBook();
const wrong = { price_book: { ...book, currency: "EUR" } };

describe("validSetting()", () => {
  test("gives a copy, so that a change of what was given changes nothing", () => {
    const given = { price_book: newBook() };
    const setting = validSetting(cost, given);
    given.price_book.as_of = "never";
    given.price_book.team.length = 0;
    expect(callTool(cost.name, cost.example_input, {}, { setting })).toMatchObject({
      ok: true,
      value: { prices_as_of: book.as_of },
    });
  });

  test("gives with callTool() what the setting itself gives, for good and for bad inputs", () => {
    const settings = { price_book: { ...book, as_of: "2020-02-29" } };
    const setting = validSetting(cost, settings);
    for (const input of [cost.example_input, {}, null, { zaps: [{ action_steps: 0 }] }]) {
      expect(callTool(cost.name, input, {}, { setting })).toEqual(
        callTool(cost.name, input, settings),
      );
    }
  });

  test("rejects a wrong value, and the setting of another tool", () => {
    expect(() => validSetting(cost, wrong)).toThrow('price_book.currency: must be "USD"');
    expect(() => validSetting(mailFilter, { price_book: book })).toThrow(
      "price_book: is not a setting of this tool",
    );
  });
});

describe("callTool()", () => {
  const outcome = (settings: GivenSettings) => callTool(cost.name, cost.example_input, settings);

  test("validates again what a caller has changed since the last call", () => {
    const given = { price_book: newBook() };
    expect(outcome(given)).toMatchObject({ ok: true });
    given.price_book.team.length = 0;
    expect(outcome(given)).toMatchObject({
      ok: false,
      error: { issues: [{ path: "price_book.team", message: "must have at least 1 item" }] },
    });
  });

  test("validates a book that only inherits a valid one", () => {
    const inherits = Object.assign(Object.create({ price_book: book }), wrong);
    expect(outcome(inherits)).toMatchObject({ ok: false });
  });
});
