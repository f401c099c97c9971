import { describe, expect, test } from "bun:test";
import * as automationCosts from "../../src/automation-cost/index.ts";
import {
  callTool,
  createMailFilters,
  createMcpConfig,
  createOpenApiDocument,
  InvalidInputError,
} from "../../src/index.ts";
import * as mailFilters from "../../src/mail-filter/index.ts";
import * as mcpConfigs from "../../src/mcp-config/index.ts";
import { problems } from "../support/rejection.ts";

const FILTERS = { filters: [{ from: ["a@x.com"], label: "A" }] };
const SERVER = { name: "a", command: "b" };
const ZAPS = { zaps: [{ action_steps: 1, runs_per_month: 1 }] };

/** A value of any type, as a program without types may pass it. */
const untyped = (value: unknown) => value as never;

describe("options that a program without types may pass are rejected", () => {
  const manifest = '{ "name": "a/b", "packages": [], "remotes": 1 }';
  const input = { name: "A", secret: true, description: 5, choices: 3, valu: "x" };

  test.each<[() => unknown, ...string[]]>([
    [() => mcpConfigs.parseServerJson(manifest), "remotes: must be an array"],
    [() => createMcpConfig(SERVER, { clients: [] }), "options.clients: must have at least 1 item"],
    [
      () => mcpConfigs.createReadmeSection(SERVER, { variables: untyped([input]) }),
      "options.variables[0].description: must be a string",
      "options.variables[0].choices: must be an array",
      "options.variables[0].valu: is not a known field; did you mean value?",
    ],
  ])("%p", (run, ...messages) => expect(problems(run)).toEqual(messages));
});

describe("a result of more than resultBytes is rejected by", () => {
  const cases: [name: string, run: (resultBytes: number) => object][] = [
    ["createMailFilters()", (resultBytes) => createMailFilters(FILTERS, { resultBytes })],
    [
      "calculateAutomationCost()",
      (resultBytes) => automationCosts.calculateAutomationCost(ZAPS, { resultBytes }),
    ],
    ["createMcpConfig()", (resultBytes) => createMcpConfig(SERVER, { resultBytes })],
  ];
  test.each(cases)("%s", (_, run) => {
    const bytes = JSON.stringify(run(1_000_000)).length;
    expect(() => run(bytes - 100)).toThrow(
      /must be (?:shorter|fewer): the result would exceed [\d,]+ bytes/,
    );
    expect(() => run(1.5 * bytes)).not.toThrow();
  });
});

describe("no argument of a wrong type is a TypeError", () => {
  const { file } = createMailFilters(FILTERS);
  const config = JSON.stringify({ mcpServers: { a: { command: "b" } } });
  const manifest = JSON.stringify({
    name: "a.b/c",
    remotes: [{ type: "streamable-http", url: "https://x.test" }],
  });
  const mail = { from: "a@x.com" };

  /** Each function with all its arguments. */
  const calls: readonly [call: (...values: never[]) => unknown, ...values: unknown[]][] = [
    [createMailFilters, FILTERS, {}],
    [createMcpConfig, SERVER, {}],
    [createOpenApiDocument, { baseUrl: "https://x.test" }],
    [automationCosts.calculateAutomationCost, ZAPS, { priceBook: automationCosts.priceBook }],
    [automationCosts.findPriceBreakpoints, ZAPS, { priceBook: automationCosts.priceBook }],
    [automationCosts.parseZaps, "Zap,Steps,Runs\nA,1,2", {}],
    [mailFilters.createMailFilters, FILTERS, {}],
    [mailFilters.parseMailFilters, file.content],
    [mailFilters.compareMailFilters, FILTERS, file.content],
    [mailFilters.mergeMailFilters, FILTERS.filters, {}],
    [mailFilters.matchMailFilters, FILTERS.filters, mail, {}],
    [mcpConfigs.createMcpConfig, SERVER, {}],
    [mcpConfigs.parseMcpConfig, config, {}],
    [mcpConfigs.createReadmeSection, SERVER, {}],
    [mcpConfigs.parseServerJson, manifest, {}],
  ];

  test("every function is called", () => {
    const libraries = [automationCosts, mailFilters, mcpConfigs];
    const functions = libraries.flatMap((library) =>
      Object.values<unknown>(library).filter((value) => typeof value === "function"),
    );
    const called = new Set<unknown>([...calls.map(([call]) => call), InvalidInputError]);
    expect(functions.filter((value) => !called.has(value))).toEqual([]);
  });

  const wrong = [null, 5, () => 1, { nothing: 1 }];
  const cases = calls.flatMap(([call, ...values]) =>
    values.flatMap((_, at) => wrong.map((value) => ({ name: call.name, call, values, at, value }))),
  );
  test.each(cases)("$name argument $at: $value", ({ call, values, at, value }) => {
    expect(() => call(...values.map(untyped))).not.toThrow();
    expect(() => call(...values.with(at, value).map(untyped))).toThrow(InvalidInputError);
  });

  test.each([null, { nothing: 1 }, { resultBytes: "x" }, { text: 5 }])(
    "callTool() rejects the options %j",
    (options) => {
      const result = callTool("mail_filter_generator", FILTERS, untyped(options));
      expect(result).toMatchObject({ ok: false, error: { code: "invalid_request" } });
      expect(callTool("mail_filter_generator", FILTERS, {}).ok).toBeTrue();
    },
  );
});
