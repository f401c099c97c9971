import { describe, expect, test } from "bun:test";
import type { InferOutput } from "valibot";
import { type PriceBookSchema, tools } from "../../schemas/index.ts";
import { type CallOptions, callTool, priceBook } from "../../src/index.ts";

const [mailFilter, cost] = tools;
/** A book that can be changed. */
const newBook = (): InferOutput<typeof PriceBookSchema> => JSON.parse(JSON.stringify(priceBook));
const book = newBook();
const wrong = { priceBook: { ...book, currency: "EUR" } };

describe("callTool()", () => {
  const outcome = (options: unknown) =>
    callTool(cost.name, cost.example_input, options as CallOptions);

  test("validates again what a caller has changed since the last call", () => {
    const given = { priceBook: newBook() };
    expect(outcome(given)).toMatchObject({ ok: true });
    given.priceBook.team.length = 0;
    expect(outcome(given)).toMatchObject({
      ok: false,
      error: { issues: [{ path: "options.priceBook.team", message: "must have at least 1 item" }] },
    });
  });

  test("rejects a wrong value, and the option of another tool", () => {
    expect(outcome(wrong)).toMatchObject({
      error: { issues: [{ path: "options.priceBook.currency", message: 'must be "USD"' }] },
    });
    expect(callTool(mailFilter.name, mailFilter.example_input, { priceBook: book })).toMatchObject({
      error: { issues: [{ path: "options.priceBook" }] },
    });
  });

  test("validates a book that only inherits a valid one", () => {
    const inherits = Object.assign(Object.create({ priceBook: book }), wrong);
    expect(outcome(inherits)).toMatchObject({ ok: false });
  });
});
