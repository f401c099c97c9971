import { describe, expect, test } from "bun:test";
import type { InferOutput } from "valibot";
import { type PriceBookSchema, tools } from "../../schemas/index.ts";
import { callTool, type GivenSettings, priceBook } from "../../src/index.ts";

const [mailFilter, cost] = tools;
/** A book that can be changed. */
const newBook = (): InferOutput<typeof PriceBookSchema> => JSON.parse(JSON.stringify(priceBook));
const book = newBook();
const wrong = { price_book: { ...book, currency: "EUR" } };

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

  test("rejects a wrong value, and the setting of another tool", () => {
    expect(outcome(wrong)).toMatchObject({
      error: { issues: [{ path: "price_book.currency", message: 'must be "USD"' }] },
    });
    expect(callTool(mailFilter.name, mailFilter.example_input, { price_book: book })).toMatchObject(
      {
        error: { issues: [{ path: "price_book", message: "is not a setting of this tool" }] },
      },
    );
  });

  test("validates a book that only inherits a valid one", () => {
    const inherits = Object.assign(Object.create({ price_book: book }), wrong);
    expect(outcome(inherits)).toMatchObject({ ok: false });
  });
});
