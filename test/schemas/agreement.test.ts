import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { callTool, jsonSchema, tools } from "../../src/index.ts";
import { inputsOf } from "./from-schema.ts";
import { compile } from "./json-schema-validator.ts";

const RUNS = 10_000;

describe.each(tools.map((contract) => [contract.name, contract] as const))(
  "%s",
  (name, contract) => {
    const schema = jsonSchema(contract.input);
    const accepts = compile(schema);

    test("the published schema and the runtime accept the same inputs", () => {
      let accepted = 0;
      const inputs = fc.sample(inputsOf(schema), { numRuns: RUNS, seed: 20261120 });
      for (const input of inputs) {
        const valid = accepts(input);
        accepted += Number(valid);
        if (v.safeParse(contract.input, input).success !== valid) {
          throw new Error(`The schema says ${valid} to ${JSON.stringify(input)}`);
        }
        const outcome = callTool(name, input);
        if (!outcome.ok) expect(outcome.error.code).toBe("invalid_request");
        if (!valid) expect(outcome.ok).toBe(false);
      }
      // Both sides must be well tried for this to show anything.
      expect(accepted).toBeGreaterThan(RUNS / 10);
      expect(RUNS - accepted).toBeGreaterThan(RUNS / 10);
    }, 60_000);

    test("the example is valid, runs, and gives no warning", () => {
      expect(accepts(contract.example_input)).toBe(true);
      expect(callTool(name, contract.example_input)).toMatchObject({
        ok: true,
        value: { warnings: [] },
      });
    });

    test("the result is valid against the published output schema", () => {
      const outcome = callTool(name, contract.example_input);
      expect(compile(jsonSchema(contract.output))(outcome.ok && outcome.value)).toBe(true);
    });

    test("descriptions are short enough for AI agents to show whole", () => {
      expect(contract.description.length).toBeLessThanOrEqual(500);
      const described = JSON.stringify(schema).matchAll(/"description":"([^"]*)"/g);
      for (const [, text = ""] of described) expect(text.length).toBeLessThanOrEqual(150);
    });
  },
);
