import { expect } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import {
  automationCostContract,
  type Contract,
  mailFilterContract,
  mcpConfigContract,
  type ResultOf,
  type ValidInputOf,
} from "../../../schemas/index.ts";
import { jsonSchema, type ToolResult } from "../../../src/index.ts";
import { compile } from "../../schemas/from-schema.ts";
import { hostileInput } from "../../src/mail-filter/hostile-filters.ts";
import { localInput, remoteInput } from "../../src/mcp-config/support.ts";
import {
  expectAutomationCostPromises,
  expectMailFilterPromises,
  expectMcpConfigPromises,
} from "./promises.ts";

/** A tool to be fuzzed. */
export interface Subject<C extends Contract = Contract> {
  readonly contract: C;
  /** Inputs that the schema takes, made to go wrong behind it. */
  readonly hostile: fc.Arbitrary<unknown>;
  /** Throws where the result of an accepted input breaks a promise. */
  expectPromises(result: ResultOf<C>, input: ValidInputOf<C>): void;
}

/** Runs of every order of magnitude: a uniform number would nearly always exceed the price list. */
const runs = fc
  .integer({ min: 0, max: 7 })
  .chain((magnitude) => fc.integer({ min: 0, max: 10 ** magnitude }));

const costlyInput = fc.record({
  zaps: fc.array(
    fc.record({
      action_steps: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
      runs_per_month: runs,
    }),
    { minLength: 1, maxLength: 25, size: "medium" },
  ),
  billing: fc.constantFrom("annual", "monthly"),
  team: fc.boolean(),
});

const mailFilter: Subject<typeof mailFilterContract> = {
  contract: mailFilterContract,
  hostile: hostileInput,
  expectPromises: expectMailFilterPromises,
};
const automationCost: Subject<typeof automationCostContract> = {
  contract: automationCostContract,
  hostile: costlyInput,
  expectPromises: expectAutomationCostPromises,
};
const mcpConfig: Subject<typeof mcpConfigContract> = {
  contract: mcpConfigContract,
  hostile: fc.oneof(localInput, remoteInput),
  expectPromises: expectMcpConfigPromises,
};

export const SUBJECTS: readonly Subject[] = [mailFilter, automationCost, mcpConfig];

/** What JavaScript has beyond JSON. */
const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

/** The same JSON value of objects that inherit nothing, not even `toString`. */
function orphaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orphaned);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, orphaned(part)]);
  return Object.setPrototypeOf(Object.fromEntries(entries), null);
}

/** Values that no JSON text gives, alone and in the place of one field of the tool's example. */
export function strangeInputs({ example_input }: Contract): fc.Arbitrary<unknown> {
  const fields = fc.constantFrom("unknown", ...Object.keys(Object(example_input)));
  const inFields = fc
    .tuple(fields, anything)
    .map(([field, value]) => ({ ...Object(example_input), [field]: value }));
  return fc.oneof(anything, inFields, fc.constant(orphaned(example_input)));
}

/** What holds of every answer of `callTool` to an input of any kind. */
export function contractOf({ contract, expectPromises }: Subject) {
  const fitsInput = compile(jsonSchema(contract.input));
  const fitsOutput = compile(jsonSchema(contract.output));

  return (outcome: ToolResult, input: unknown): void => {
    if (outcome.ok) expectAccepted(outcome.value, input);
    else expectRefusal(outcome.error);
  };

  function expectAccepted(value: unknown, input: unknown): void {
    expect(fitsInput(input)).toBe(true);
    expect(fitsOutput(value)).toBe(true);
    // JSON makes null of NaN and of infinity, and drops what is undefined.
    expect(fitsOutput(JSON.parse(JSON.stringify(value)))).toBe(true);
    expectPromises(v.parse(contract.output, value), v.parse(contract.input, input));
  }
}

/** A refusal says where and why, in words that stand behind "path: ". */
function expectRefusal(error: Extract<ToolResult, { ok: false }>["error"]): void {
  const { code, message, issues, ...rest } = error;
  expect({ code, rest }).toEqual({ code: "invalid_request", rest: {} });
  expect(issues.length).toBeGreaterThan(0);
  for (const issue of issues) {
    expect(Object.keys(issue)).toEqual(["path", "message"]);
    expect(issue.path).toBeString();
    expect(issue.message).toMatch(/^[a-z]+ \S/);
  }
  const lines = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  expect(message).toBe(lines.join("\n"));
}

/** Makes every change of a JSON value throw. Binary data, which cannot be frozen, stays as it is. */
export function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
