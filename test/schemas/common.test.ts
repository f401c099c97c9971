import { describe, expect, test } from "bun:test";
import { runInNewContext } from "node:vm";
import * as v from "valibot";
import { closestName, recordOf } from "../../schemas/common.ts";
import { callTool } from "../../src/index.ts";

const issuesOf = (name: string, input: unknown) => {
  const outcome = callTool(name, input);
  return outcome.ok ? [] : outcome.error.issues.map(({ path, message }) => `${path}: ${message}`);
};

describe("a record", () => {
  const record = recordOf(v.object({ size: v.number() }));
  test("keeps every own key", () => {
    const names = ["constructor", "prototype", "__proto__", "toString", "a"];
    const value = Object.fromEntries(names.map((name, size) => [name, { size }]));
    expect(Object.entries(v.parse(record, value))).toEqual(Object.entries(value));
  });

  test.each([
    ["a value", { constructor: { size: "x" } }, ["constructor", "size"]],
    ["a value of __proto__", JSON.parse('{"__proto__":{"size":"x"}}'), ["__proto__", "size"]],
    ["an array", [], undefined],
    ["a map", new Map([["a", { size: 1 }]]), undefined],
  ])("rejects %s, and says where", (_, value, path) => {
    const { issues } = v.safeParse(record, value);
    expect(issues?.map((issue) => issue.path?.map(({ key }) => key))).toEqual([path]);
  });
});

describe("a closed object names every unknown field", () => {
  const NEAR = "ev: is not a known field; did you mean env?";
  const known = "known are name, command, args, env, url, headers";
  test.each<[string[], string[]]>([
    [["a1"], [`a1: is not a known field; ${known}`]],
    [["comand"], ["comand: is not a known field; did you mean command?"]],
    [
      ["x1", "ev", "y1"],
      [`x1: is not a known field; ${known}`, NEAR, "y1: is not a known field"],
    ],
    [
      ["constructor", "__proto__", "toString"],
      [
        `constructor: is not a known field; ${known}`,
        "__proto__: is not a known field",
        "toString: is not a known field",
      ],
    ],
  ])("%j", (unknown, issues) => {
    const input = Object.fromEntries([["name", "a"], ...unknown.map((key) => [key, 1])]);
    expect(issuesOf("mcp_config_generator", input)).toEqual(issues);
  });

  test("beside what else is wrong, at every depth", () => {
    const filter = { form: ["a"], star: "yes", colour: "red" };
    expect(
      issuesOf("mail_filter_generator", {
        filters: [filter, { from: ["a"], star: true }],
        more: 1,
      }),
    ).toEqual([
      "filters[0].star: must be true or false",
      "filters[0].form: is not a known field; did you mean from?",
      expect.stringMatching(/^filters\[0\]\.colour: is not a known field; known are name, from, /),
      "more: is not a known field; known are filters",
    ]);
  });
});

describe("an object is what JSON calls one", () => {
  class Environment {
    readonly A = "1";
  }
  test.each<[string, unknown]>([
    ["a map", new Map([["A", "1"]])],
    ["an object of a class", new Environment()],
    ["an array", ["A"]],
  ])("not %s", (_, env) => {
    const input = { name: "a", command: "b", env };
    expect(issuesOf("mcp_config_generator", input)).toEqual(["env: must be an object"]);
  });

  test.each<[string, unknown]>([
    ["a literal", { A: "1" }],
    ["one without a prototype", Object.assign(Object.create(null), { A: "1" })],
    ["one of another realm", runInNewContext('({ A: "1" })')],
  ])("but %s", (_, env) => {
    const outcome = callTool("mcp_config_generator", { name: "a", command: "b", env });
    expect(JSON.stringify(outcome)).toContain("A=1");
  });
});

const known = ["name", "from", "to", "subject", "larger_than_mb", "smaller_than_mb", "star"];

describe("closestName()", () => {
  test.each<[string, string | undefined]>([
    ["form", "from"],
    ["From", "from"],
    ["larger-than-mb", "larger_than_mb"],
    ["stat", "star"],
    ["colour", undefined],
    ["t", undefined],
    ["", undefined],
    ["larger_than", undefined],
  ])("%s -> %s", (name, near) => expect(closestName(name, known)).toBe(near));

  test("is done soon with a name of any length", () => {
    expect(closestName(`name${"x".repeat(1_000_000)}`, known)).toBeUndefined();
  });
});
