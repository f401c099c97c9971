import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderToString } from "preact-render-to-string";
import {
  automationCostContract,
  type Contract,
  mailFilterContract,
  mcpConfigContract,
  tools,
} from "../../../../schemas/index.ts";
import { evaluateForm, type ToolPage } from "../../../../server/pages/form/form-state.ts";
import {
  parseForm,
  toFormEntries,
  toFormValues,
  toInput,
} from "../../../../server/pages/form/form-values.ts";
import { applyIntent } from "../../../../server/pages/form/intents.ts";
import { serverFormFields } from "../../../../server/pages/mcp-config/server-form.ts";
import { toolPagesByName } from "../../../../server/pages/tool-page.tsx";
import { requireTool } from "../../../../src/call-tool.ts";
import { callTool, toJsonSchema } from "../../../../src/index.ts";
import { runTool } from "../../../../src/tool.ts";
import { inputsOf } from "../../../schemas/from-schema.ts";
import { hostileInput } from "../../../src/mail-filter/hostile-filters.ts";
import { localInput, remoteInput } from "../../../src/mcp-config/support.ts";
import { tries } from "../../../support/runs.ts";
import { readForm } from "../../support/forms.ts";

function pageOf({ name }: Contract): ToolPage {
  const page = toolPagesByName.get(name);
  if (!page) throw new Error(`No page has ${name}`);
  return page;
}

const inputOf = (page: ToolPage, tree: ReturnType<typeof parseForm>) =>
  page.toInput?.(tree) ?? toInput(tree, page.fields);

const sent = (contract: Contract, query: string) =>
  inputOf(pageOf(contract), parseForm(new URLSearchParams(query)));

const filter = (query: string) => sent(mailFilterContract, query).input;
const cost = (query: string) => sent(automationCostContract, query).input;
const config = (query: string) => sent(mcpConfigContract, query).input;

describe("a number", () => {
  const star = { star: true };
  const size = (text: string) => {
    const query = new URLSearchParams({ "filters[0].larger_than_mb": text });
    return filter(`${query}&filters[0].star=true`);
  };

  test("is written as people and JSON write it, also with its unit", () => {
    const numbers = {
      ...{ "5": 5, "5.5": 5.5, " 5 ": 5, "\u00a05\t": 5, "007": 7, ".5": 0.5, "5.": 5, "+5": 5 },
      ...{ "-5": -5, "0": 0, "1e3": 1_000, "9.6e-7": 9.6e-7, "1E+1": 10, "5 MB": 5, "5.5mb": 5.5 },
    };
    for (const [text, larger_than_mb] of Object.entries(numbers))
      expect(size(text)).toEqual({ filters: [{ larger_than_mb, ...star }] });
    for (const text of ["", " ", "\t\n"]) expect(size(text)).toEqual({ filters: [star] });
  });

  test("is anything else to the tool, which says so", () => {
    const others = [
      ...["5,5", "1,000", "1 000", "1_000", "0x10", "0b1", "5 KB", "½", "５", "1e999", "1e", "e5"],
      ...[".", "-", "+", "--5", "1.2.3", "NaN", "Infinity", "true", "[5]"],
      `${"1".repeat(100_000)}x`,
    ];
    for (const text of others)
      expect(size(text)).toEqual({ filters: [{ larger_than_mb: text, ...star }] });
    expect(callTool("mail_filter_generator", size("5,5"))).toMatchObject({
      error: { issues: [{ path: "filters[0].larger_than_mb", message: "must be a number" }] },
    });
  });

  test("in a text is a text", () => {
    expect(config("name=5&command=1e3&args=0x10")).toEqual({
      name: "5",
      command: "1e3",
      args: ["0x10"],
    });
  });
});

test("a switch is on with two values, and off with all others", () => {
  const team = (value: string) => cost(`zaps[0].name=a&team=${encodeURIComponent(value)}`);
  for (const value of ["true", "on"]) expect(team(value)).toMatchObject({ team: true });
  for (const value of ["", "false", "off", "0", "TRUE "])
    expect(team(value)).not.toHaveProperty("team");
});

test.each<[string, Record<string, unknown>]>([
  ["filters[0].name=&filters[0].label=a", { filters: [{ label: "a" }] }],
  ["filters[0].from=&filters[0].from=a&filters[0].from=", { filters: [{ from: ["a"] }] }],
  ["filters[0].label=&filters[1].from=&filters[2].label=b", { filters: [{ label: "b" }] }],
  ["filters[0].label=", { filters: [] }],
  // White space alone is not blank.
  [
    "filters[0].label= &filters[0].from=%09&filters[0].from=",
    { filters: [{ from: ["\t"], label: " " }] },
  ],
])("what is blank is left out of %s", (query, input) => {
  expect(filter(query)).toEqual(input);
});

test("a pair of nothing is left out, and no pair with a name or a value", () => {
  const query = "env[0].key=&env[0].value=&env[1].key=A&env[1].value=&env[2].value=b";
  expect(config(query)).toEqual({ env: { A: "", "": "b" } });
});

describe("a map", () => {
  test("takes any key as it is, and none changes what objects inherit", () => {
    const keys = ["__proto__", "constructor", "toString", "a b", 'a"b', "é"];
    const query = new URLSearchParams();
    for (const [index, key] of keys.entries()) {
      query.append(`env[${index}].key`, key);
      query.append(`env[${index}].value`, `value of ${key}`);
    }
    const { env } = config(String(query));
    expect(Object.entries(Object(env))).toEqual(keys.map((key) => [key, `value of ${key}`]));
    expect(Object.getPrototypeOf(env)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, "a b")).toBe(false);
  });

  test("with one key twice is not an input: one value would be lost", () => {
    const query = "env[0].key=A&env[0].value=1&env[1].key=B&env[2].key=A&env[2].value=3";
    expect(sent(mcpConfigContract, query).issues).toEqual([
      { path: ["env", "A"], message: "must be given once" },
    ]);
  });
});

describe("a list of texts", () => {
  const from = (query: string) => Object(filter(`${query}&filters[0].star=true`)).filters[0].from;
  const sentFrom = (...texts: readonly string[]) =>
    from(
      String(new URLSearchParams(texts.map((text): [string, string] => ["filters[0].from", text]))),
    );

  test.each<[string, readonly string[]]>([
    ["a@x.example", ["a@x.example"]],
    ["a@x.example, @b.example; c@x.example", ["a@x.example", "@b.example", "c@x.example"]],
    ["Doe, John <j@x.example>", ["j@x.example"]],
    ['Doe, John <j@x.example>, "Roe, Jane" <r@x.example>', ["j@x.example", "r@x.example"]],
    ["<a@x.example>", ["a@x.example"]],
    ["-Doe <j@x.example>", ["-Doe <j@x.example>"]],
    ["a@x.example\r\n\r\n b@x.example \n", ["a@x.example", "b@x.example"]],
    ["Jane Roe\na@x.example b@x.example", ["Jane Roe", "a@x.example", "b@x.example"]],
    ["shop, news", ["shop, news"]],
    // What a URL makes of me+x@gmail.com is a mistake that the tool reports.
    ["me x@gmail.com", ["me x@gmail.com"]],
    ["me, x@gmail.com", ["me", "x@gmail.com"]],
  ])("takes the addresses that are typed: %j", (text, texts) => {
    expect(sentFrom(text)).toEqual(texts);
    expect(sentFrom("first@x.example", text)).toEqual(["first@x.example", ...texts]);
  });

  test("has what was entered as it is, and the text that is not ended", () => {
    expect(sentFrom("a@x.example, b@x.example", "c@x.example,d@x.example")).toEqual([
      "a@x.example, b@x.example",
      "c@x.example",
      "d@x.example",
    ]);
    expect(sentFrom("a@x.example", "")).toEqual(["a@x.example"]);
  });

  test("keeps the place of an item that is edited", () => {
    expect(config("args=-y&args=new&args=last&args_at=1")).toEqual({ args: ["-y", "new", "last"] });
    expect(config("args=-y&args=a%0Ab&args=last&args_at=1")).toEqual({
      args: ["-y", "a", "b", "last"],
    });
    expect(config("args=-y&args=a%0Ab&args_at=7")).toEqual({ args: ["-y", "a", "b"] });
  });

  test("of words and arguments is split at line breaks alone", () => {
    const line = "Your order, shipped; --tags=a,b";
    expect(config(String(new URLSearchParams({ args: `${line}\n-v` })))).toEqual({
      args: [line, "-v"],
    });
    const subject = String(new URLSearchParams({ "filters[0].subject": line }));
    expect(filter(subject)).toEqual({ filters: [{ subject: [line] }] });
  });

  const press = (command: string, ...args: readonly string[]) => {
    const tree = parseForm(args.map((text) => ["args", text] as const));
    const focus = applyIntent(tree, command, { fields: serverFormFields });
    return { focus, args: toFormEntries(tree) };
  };
  const sentAs = (texts: readonly string[], at?: string): [string, string][] => [
    ...texts.map((text): [string, string] => ["args", text]),
    ...(at === undefined ? [] : ([["args_at", at]] as [string, string][])),
  ];

  test.each([
    ["add args", ["a", "b\nc"], "args", ["a", "b", "c", ""], undefined],
    ["add args", ["a", ""], "args", ["a", ""], undefined],
    ["remove args[0]", ["a", "b", "c"], "args[0]", ["b", "c"], undefined],
    ["remove args[1]", ["a", "b", ""], "args", ["a", ""], undefined],
    ["remove args[0]", ["a", ""], "args", [""], undefined],
    ["remove args[7]", ["a", ""], "args", ["a", ""], undefined],
    ["remove args[1]", ["a", "typed"], "args", ["a", "typed"], undefined],
    ["edit args[0]", ["a", "b", ""], "args", ["a", "b"], "0"],
    ["edit args[1]", ["a", "b", "c\nd"], "args", ["a", "b", "c", "d"], "1"],
    ["edit args[1]", ["a", "b", ""], "args", ["a", "b"], undefined],
    ["edit args[0]", ["two\nlines", ""], "args", ["two\nlines", ""], undefined],
    ["edit args[9]", ["a", ""], "args", ["a", ""], undefined],
  ] as const)("%s of %j", (command, before, focus, after, at) => {
    expect(press(command, ...before)).toEqual({ focus, args: sentAs(after, at) });
  });
});

test("a line break is one character, however it was sent", () => {
  expect(config("args=a%0D%0Ab&args=a%0Ab&args=%0D%0A%0D%0A&args=")).toEqual({
    args: ["a\nb", "a\nb", "\n\n"],
  });
});

const TRIES = tries(100);

/** The input of a form that shows `input` and is sent as it is. */
function sentBack(contract: Contract, input: unknown): unknown {
  const page = pageOf(contract);
  const host = {
    baseUrl: "",
    run(other: unknown) {
      return { result: runTool(page.tool ?? requireTool(contract.name), other) };
    },
  };
  const state = evaluateForm(page, host, toFormValues(input, page.fields));
  return inputOf(page, parseForm(readForm(renderToString(page.view({ state }))))).input;
}

/** The part of an input that a form can express: no empty item and no `false`. */
function sayable(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== "").map(sayable);
  if (typeof value !== "object" || value === null) return value;
  const given = Object.entries(value).filter(([, part]) => part !== false);
  return Object.fromEntries(given.map(([key, part]) => [key, sayable(part)]));
}

/**
 * Markup cannot carry NUL, halves of surrogate pairs and a line break that a text begins with. Only
 * closed items carry a carriage return.
 */
const isCarried = (input: unknown): boolean =>
  !/\\u(?:0000|d[89a-f])|\\r|"\\n/.test(JSON.stringify(input));

const HOSTILE: Readonly<Record<(typeof tools)[number]["name"], fc.Arbitrary<unknown>>> = {
  mail_filter_generator: hostileInput,
  automation_cost_calculator: fc.constant({ zaps: [{ action_steps: 1, runs_per_month: 0 }] }),
  mcp_config_generator: fc.oneof(localInput, remoteInput),
};

describe.each(tools.map((contract) => [contract.name, contract] as const))(
  "%s",
  (name, contract) => {
    test("gives the same result for an input and for the form that shows it", () => {
      const inputs = fc.oneof(inputsOf(toJsonSchema(contract.input)), HOSTILE[name]);
      let compared = 0;
      const property = fc.property(inputs.filter(isCarried), (input) => {
        const wanted = callTool(name, sayable(input));
        if (!callTool(name, input).ok || !wanted.ok) return;
        compared += 1;
        const answer = callTool(name, sentBack(contract, input));
        expect(JSON.stringify(answer)).toBe(JSON.stringify(wanted));
      });
      fc.assert(property, TRIES);
      expect(compared).toBeGreaterThan(TRIES.numRuns / 10);
    });
  },
);
