import { describe, expect, test } from "bun:test";
import type { InferOutput } from "valibot";
import type { PriceBookSchema } from "../../schemas/index.ts";
import { type CallOptions, callTool, priceBook, tools } from "../../src/index.ts";

const issuesOf = (name: string, input: unknown) => {
  const outcome = callTool(name, input);
  return outcome.ok ? [] : outcome.error.issues.map(({ path, message }) => `${path}: ${message}`);
};

describe("callTool() names what is wrong, and where", () => {
  const [MAIL, COST, MCP] = tools.map(({ name }) => name);
  const filter = (fields: object) => ({ filters: [{ from: ["a@x.com"], label: "a", ...fields }] });
  const zap = (fields: object) => ({ zaps: [{ action_steps: 1, runs_per_month: 1, ...fields }] });
  const server = (fields: object) => ({ name: "a", command: "x", ...fields });

  test.each<[string | undefined, unknown, string]>([
    [MAIL, null, ": must be an object"],
    [MAIL, {}, "filters: is required"],
    [MAIL, { filters: Array(21).fill({}) }, "filters: must have at most 20 items"],
    [MAIL, filter({ larger_than_mb: 0 }), "filters[0].larger_than_mb: must be greater than 0"],
    [MAIL, filter({ from: [""] }), "filters[0].from[0]: must have at least 1 character"],
    [MAIL, filter({ star: "yes" }), "filters[0].star: must be true or false"],
    [
      COST,
      zap(JSON.parse('{"__proto__":1}')),
      "zaps[0].__proto__: is not a known field; known are name, action_steps, runs_per_month",
    ],
    [COST, { zaps: Array(26).fill(zap({}).zaps[0]) }, "zaps: must have at most 25 items"],
    [COST, zap({ action_steps: 1.5 }), "zaps[0].action_steps: must be a whole number"],
    [MCP, server({ name: "a b" }), "name: must be 1 to 64 letters, digits, - or _, such as a-b"],
    [MCP, server({ env: { "a b": "" } }), 'env["a b"]: the name must be 1 to 100 letters'],
    [MCP, server({ args: new Array(1) }), "args[0]: must be a string"],
    [MCP, { name: "a", url: "https://x y" }, "url: must be an absolute URL, such as https://"],
  ])("%s %j", (name = "", input, issue) =>
    expect(issuesOf(name, input)).toEqual([expect.stringContaining(issue)]),
  );
});

test("callTool() gives every problem at once", () => {
  const input = { filters: [{ from: [1, ""], star: 0 }], extra: true };
  expect(issuesOf("mail_filter_generator", input)).toHaveLength(4);
});

test.each([10n, Symbol("x"), undefined, null, {}, Object.create(null), ["mail_filter_generator"]])(
  "callTool() does not throw for the name %p",
  (name) => expect(callTool(name as never, {})).toMatchObject({ ok: false }),
);

test("callTool() reports an exception inside an input as an internal error, and does not throw", () => {
  const input = {
    get filters() {
      throw new Error("boom");
    },
  };
  expect(callTool("mail_filter_generator", input)).toMatchObject({
    ok: false,
    error: { code: "internal_error", issues: [], cause: new Error("boom") },
  });
});

test.each(["", "mail-filter", "constructor", "__proto__", "MAIL_FILTER_GENERATOR"])(
  "callTool() knows no tool named %j",
  (name) => {
    const outcome = callTool(name, {});
    expect(outcome).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect(!outcome.ok && outcome.error.message).toContain("mail_filter_generator");
  },
);

describe("callTool() validates options like any input", () => {
  /** A book that can be changed. */
  const newBook = (): InferOutput<typeof PriceBookSchema> => JSON.parse(JSON.stringify(priceBook));
  const outcome = (options: unknown) =>
    callTool(tools[1].name, tools[1].example_input, options as CallOptions);

  test("again when a caller has changed them", () => {
    const given = { priceBook: newBook() };
    expect(outcome(given)).toMatchObject({ ok: true });
    given.priceBook.team.length = 0;
    expect(outcome(given)).toMatchObject({
      error: { issues: [{ path: "options.priceBook.team", message: "must have at least 1 item" }] },
    });
  });

  test("an unknown one, even if it is undefined, and that of another tool", () => {
    const issues = [{ path: "options.priceBok" }];
    expect(outcome({ priceBok: undefined })).toMatchObject({ error: { issues } });
    const [{ name, example_input }] = tools;
    expect(callTool(name, example_input, { priceBook })).toMatchObject({
      error: { issues: [{ path: "options.priceBook" }] },
    });
  });
});
