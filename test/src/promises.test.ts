import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import {
  automationCostContract,
  type Contract,
  mailFilterContract,
  mcpConfigContract,
  type ResultOf,
  type ValidAutomationCostInput,
  type ValidInputOf,
} from "../../schemas/index.ts";
import { callTool, type ToolResult, toJsonSchema } from "../../src/index.ts";
import { compile, inputsOf } from "../schemas/from-schema.ts";
import { tries } from "../support/runs.ts";
import { expectOracle } from "./automation-cost/support.ts";
import { hostileInput } from "./mail-filter/hostile-filters.ts";
import { expectMailFilterPromises } from "./mail-filter/promises.ts";
import { expectMcpConfigPromises } from "./mcp-config/promises.ts";
import { localInput, remoteInput } from "./mcp-config/support.ts";

/** A tool whose promises are tried on many inputs. */
interface Subject<C extends Contract = Contract> {
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

/** The tool answers as the oracle does, which shares no line with it. */
function expectAutomationCostPromises(_: unknown, input: ValidAutomationCostInput): void {
  const { zaps, billing, team } = input;
  const tasks = zaps.reduce((sum, zap) => sum + zap.action_steps * zap.runs_per_month, 0);
  const singleSteps = zaps.every(({ action_steps }) => action_steps === 1);
  expectOracle(input, { tasks, billing, team, singleSteps });
}

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

const SUBJECTS: readonly Subject[] = [mailFilter, automationCost, mcpConfig];

describe.each(SUBJECTS.map((subject) => [subject.contract.name, subject] as const))(
  "%s keeps its promises for",
  (name, subject) => {
    const expectContract = contractOf(subject);

    function expectPromised(inputs: fc.Arbitrary<unknown>, count: number): void {
      const seen = { accepted: 0, rejected: 0 };
      const parameters = tries(count);
      const property = fc.property(inputs, (input) => {
        freeze(input);
        const outcome = callTool(name, input);
        expectContract(outcome, input);
        expect(JSON.stringify(callTool(name, input))).toBe(JSON.stringify(outcome));
        seen[outcome.ok ? "accepted" : "rejected"]++;
      });
      fc.assert(property, parameters);
      // Each side must be well tried for this to show anything.
      expect(Math.min(seen.accepted, seen.rejected)).toBeGreaterThan(parameters.numRuns / 50);
    }

    test("inputs of JSON", () => {
      expectPromised(
        fc.oneof(inputsOf(toJsonSchema(subject.contract.input)), subject.hostile),
        200,
      );
    });

    test("inputs that are not JSON", () => {
      expectPromised(strangeInputs(subject.contract), 60);
    });
  },
);

/** Values of JavaScript beyond JSON. */
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
function strangeInputs({ example_input }: Contract): fc.Arbitrary<unknown> {
  const fields = fc.constantFrom("unknown", ...Object.keys(Object(example_input)));
  const inFields = fc
    .tuple(fields, anything)
    .map(([field, value]) => ({ ...Object(example_input), [field]: value }));
  return fc.oneof(anything, inFields, fc.constant(orphaned(example_input)));
}

const hasTypedArray = (value: unknown): boolean =>
  ArrayBuffer.isView(value) ||
  Object.values(Object(value)).some((part) => typeof part === "object" && hasTypedArray(part));

/** Checks that hold for every answer of `callTool` to any input. */
function contractOf({ contract, expectPromises }: Subject) {
  const fitsInput = compile(toJsonSchema(contract.input));
  const fitsOutput = compile(toJsonSchema(contract.output));

  return (outcome: ToolResult, input: unknown): void => {
    if (outcome.ok) expectAccepted(outcome.value, input);
    else expectRejected(outcome.error);
    // The published schema and the runtime accept the same; of JSON alone, as a typed array is an object.
    if (!hasTypedArray(input)) expect(v.is(contract.input, input)).toBe(fitsInput(input));
  };

  function expectAccepted(value: unknown, input: unknown): void {
    expect(fitsInput(input)).toBe(true);
    expect(fitsOutput(value)).toBe(true);
    // JSON makes null of NaN and of infinity, and drops what is undefined.
    expect(fitsOutput(JSON.parse(JSON.stringify(value)))).toBe(true);
    expectPromises(v.parse(contract.output, value), v.parse(contract.input, input));
  }
}

/** An error says where and why, in words that follow "path: ". */
function expectRejected(error: Extract<ToolResult, { ok: false }>["error"]): void {
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
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (ArrayBuffer.isView(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}
