import { describe, expect, test } from "bun:test";
import type { InferOutput } from "valibot";
import { type PriceBookSchema, tools } from "../../schemas/index.ts";
import { callTool, priceBook } from "../../src/index.ts";
import { prepareSettings, validSettings } from "../../src/tool.ts";

const [mailFilter, cost] = tools;
/** A book that can be changed. */
const newBook = (): InferOutput<typeof PriceBookSchema> => JSON.parse(JSON.stringify(priceBook));
const book = newBook();
const wrong = { price_book: { ...book, currency: "EUR" } };

const outcome = (settings: Readonly<Record<string, unknown>>) =>
  callTool(cost.name, cost.example_input, settings);

describe("prepareSettings()", () => {
  test("gives a copy, so that a change of what was given changes nothing", () => {
    const given = { price_book: newBook() };
    const prepared = prepareSettings(cost, given);
    given.price_book.as_of = "never";
    given.price_book.team.length = 0;
    expect<unknown>(prepared).toEqual({ price_book: book });
    expect(outcome(prepared)).toMatchObject({ ok: true, value: { prices_as_of: book.as_of } });
  });

  test("refuses what a call refuses", () => {
    expect(() => prepareSettings(cost, wrong)).toThrow('price_book.currency: must be "USD"');
    expect(() => prepareSettings(mailFilter, { price_book: book })).toThrow(
      "price_book: is not a setting of this tool",
    );
  });
});

describe("validSettings()", () => {
  test("takes prepared settings as they are, and validates a copy of any other", () => {
    const prepared = prepareSettings(cost, { price_book: book });
    expect(validSettings(cost, prepared)).toBe(prepared);
    for (const other of [{ price_book: book }, { ...prepared }, {}]) {
      const valid = validSettings(cost, other);
      expect<unknown>(valid).toEqual(other);
      expect<unknown>(valid).not.toBe(other);
    }
  });

  test("validates settings that were prepared for another tool", () => {
    const prepared = prepareSettings(cost, { price_book: book });
    expect(() => validSettings(mailFilter, prepared)).toThrow("is not a setting of this tool");
  });

  test("validates what looks like prepared settings", () => {
    const prepared = prepareSettings(cost, { price_book: book });
    expect(outcome({ ...prepared, ...wrong })).toMatchObject({ ok: false });
    expect(outcome(Object.assign(Object.create(prepared), wrong))).toMatchObject({ ok: false });
  });
});

test("callTool() validates again what a caller has changed since the last call", () => {
  const given = { price_book: newBook() };
  expect(outcome(given)).toMatchObject({ ok: true });
  given.price_book.team.length = 0;
  expect(outcome(given)).toMatchObject({
    ok: false,
    error: { issues: [{ path: "price_book.team", message: "must have at least 1 item" }] },
  });
});
