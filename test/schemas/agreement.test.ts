import { describe, expect, test } from "bun:test";
import { BetaSignupSchema } from "../../schemas/index.ts";
import { callTool, toJsonSchema, tools } from "../../src/index.ts";
import { compile } from "./from-schema.ts";

describe.each(tools.map((contract) => [contract.name, contract] as const))(
  "%s",
  (name, contract) => {
    const schema = toJsonSchema(contract.input);
    const accepts = compile(schema);

    test("the example is valid, runs, and gives no warning", () => {
      expect(accepts(contract.example_input)).toBe(true);
      expect(callTool(name, contract.example_input)).toMatchObject({
        ok: true,
        value: { warnings: [] },
      });
    });

    test("the result is valid against the published output schema", () => {
      const outcome = callTool(name, contract.example_input);
      expect(compile(toJsonSchema(contract.output))(outcome.ok && outcome.value)).toBe(true);
    });

    test("descriptions are short enough for AI agents to show whole", () => {
      expect(contract.description.length).toBeLessThanOrEqual(500);
      const described = JSON.stringify(schema).matchAll(/"description":"([^"]*)"/g);
      for (const [, text = ""] of described) expect(text.length).toBeLessThanOrEqual(150);
    });
  },
);

const schema = toJsonSchema(BetaSignupSchema);

test("the descriptions say what the schema cannot", () => {
  expect(schema.properties?.email?.description).toContain("Trimmed, checked, then lower-cased");
  expect(schema.properties?.name?.description).toContain(
    "Trimmed; at least two visible characters, no control character",
  );
  expect(schema.properties?.referralOther?.description).toBe(
    "Required when referral is other, ignored otherwise.",
  );
});
