import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Contract, tools } from "../../../schemas/index.ts";
import { inputOf, readEntries } from "../../../server/pages/form/entries.ts";
import { fields } from "../../../server/pages/form/fields.ts";
import { formData } from "../../../server/pages/form/form-data.ts";
import { SHOWN_INPUT } from "../../../server/pages/form/places.ts";
import { html } from "../../../server/pages/html.ts";
import { fieldsOf } from "../../../src/fields.ts";
import { callTool, jsonSchema } from "../../../src/index.ts";
import { hostileInput } from "../../mail-filter/hostile-filters.ts";
import { localInput, remoteInput } from "../../mcp-config/hostile.ts";
import { inputsOf } from "../../schemas/from-schema.ts";
import { readForm } from "./read-form.ts";

const RUNS = 1_000;

/** The input of a form that shows `input` and is sent as it is. */
function sentBack(contract: Contract, input: unknown): unknown {
  const form = fieldsOf(contract.input);
  const shown = fields(readEntries(form, input), new Map(), SHOWN_INPUT);
  const page = html`<form id="tool-form">${shown}</form>`.markup;
  return inputOf(readEntries(form, formData(readForm(page)))).input;
}

/** What a form can say of an input: no empty item of a list, and one kind of line break. */
function sayable(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\r\n?/g, "\n");
  if (Array.isArray(value)) return value.filter((item) => item !== "").map(sayable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, sayable(part)]));
}

/** Markup cannot carry NUL and halves of surrogate pairs; the API takes no half either. */
const isCarried = (input: unknown): boolean => !/\\u(?:0000|d[89a-f])/.test(JSON.stringify(input));

const HOSTILE: Readonly<Record<(typeof tools)[number]["name"], fc.Arbitrary<unknown>>> = {
  mail_filter_generator: hostileInput,
  automation_cost_calculator: fc.constant({ zaps: [{ action_steps: 1, runs_per_month: 0 }] }),
  mcp_config_generator: fc.oneof(localInput, remoteInput),
};

describe.each(tools.map((contract) => [contract.name, contract] as const))(
  "%s",
  (name, contract) => {
    test("gives the same result for an input and for the form that shows it", () => {
      const inputs = fc.oneof(inputsOf(jsonSchema(contract.input)), HOSTILE[name]);
      let compared = 0;
      const property = fc.property(inputs.filter(isCarried), (input) => {
        const wanted = callTool(name, sayable(input));
        if (!callTool(name, input).ok || !wanted.ok) return;
        compared += 1;
        const answer = callTool(name, sentBack(contract, input));
        expect(JSON.stringify(answer)).toBe(JSON.stringify(wanted));
      });
      fc.assert(property, { numRuns: RUNS });
      expect(compared).toBeGreaterThan(RUNS / 10);
    }, 60_000);
  },
);
