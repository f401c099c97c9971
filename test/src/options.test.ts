import { describe, expect, test } from "bun:test";
import { automationCostBreakpoints, readZaps } from "../../src/automation-cost/index.ts";
import {
  automationCost,
  InvalidInputError,
  mailFilter,
  mcpConfig,
  openApi,
} from "../../src/index.ts";

const FILTERS = { filters: [{ from: ["a@x.com"], label: "A" }] };
const SERVER = { name: "a", command: "b" };
const ZAPS = { zaps: [{ action_steps: 1, runs_per_month: 1 }] };

/** A value of any type, as a program without types may pass it. */
const untyped = (value: unknown) => value as never;

describe("options that a program without types may pass are rejected", () => {
  const cases: [name: string, run: () => unknown, message: string][] = [
    [
      "mailFilter() with unknown limits",
      () => mailFilter(FILTERS, untyped({ limits: "gmial" })),
      'options.limits: must be "public" or "gmail"',
    ],
    [
      "mailFilter() with an unknown option",
      () => mailFilter(FILTERS, untyped({ limit: "gmail" })),
      "options.limit: is not a known field; did you mean limits?",
    ],
    [
      "mailFilter() with null",
      () => mailFilter(FILTERS, untyped(null)),
      "options: must be an object",
    ],
    [
      "mailFilter() with a text",
      () => mailFilter(FILTERS, untyped("x")),
      "options: must be an object",
    ],
    [
      "mcpConfig() with no client",
      () => mcpConfig(SERVER, { clients: [] }),
      "options.clients: must have at least 1 item",
    ],
    [
      "mcpConfig() with a text for clients",
      () => mcpConfig(SERVER, untyped({ clients: "cursor" })),
      "options.clients: must be an array",
    ],
    ["mcpConfig() with null", () => mcpConfig(SERVER, untyped(null)), "options: must be an object"],
    [
      "openApi() with a text that is no URL",
      () => openApi({ baseUrl: "nonsense" }),
      "options.baseUrl: must be an origin without a slash at its end, such as https://tools.example.com",
    ],
    ["openApi() without options", () => openApi(untyped(undefined)), "options: must be an object"],
    ["openApi() without an origin", () => openApi(untyped({})), "options.baseUrl: is required"],
    [
      "automationCost() with null",
      () => automationCost(ZAPS, untyped(null)),
      "price_book: must be an object",
    ],
    [
      "automationCostBreakpoints() with null",
      () => automationCostBreakpoints(ZAPS, untyped(null)),
      "price_book: must be an object",
    ],
    ["readZaps() with null", () => readZaps("A,1,2", untyped(null)), "options: must be an object"],
    [
      "readZaps() with a number for all runs",
      () => readZaps("A,1,2", untyped({ runs: { A: "3" }, runs_default: -1 })),
      "options.runs.A: must be a number\noptions.runs_default: must be at least 0",
    ],
  ];
  test.each(cases)("%s", (_, run, message) => {
    let thrown: unknown;
    try {
      run();
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidInputError);
    expect(String(thrown)).toBe(`InvalidInputError: ${message}`);
  });
});

test("options that are left out, or undefined, are the defaults", () => {
  expect(mailFilter(FILTERS, { limits: untyped(undefined) })).toEqual(mailFilter(FILTERS));
  expect(mcpConfig(SERVER, { clients: untyped(undefined) })).toEqual(mcpConfig(SERVER, {}));
});
