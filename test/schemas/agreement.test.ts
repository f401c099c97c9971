import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { BetaSignupSchema } from "../../schemas/index.ts";
import { callTool, toJsonSchema, tools } from "../../src/index.ts";
import { tries } from "../support/runs.ts";
import { compile, inputsOf } from "./from-schema.ts";

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

const TRIES = tries(1_000);

const schema = toJsonSchema(BetaSignupSchema);
const accepts = compile(schema);

const shaped = inputsOf(schema);
/** Values that the schema and its words judge differently, in inputs that are right elsewhere. */
const worded = fc.record({
  email: fc.constantFrom("ada@example.org", " Ada@Example.ORG\n"),
  name: fc.constantFrom("Ada", "\u00a0Ada ", "A\u0001da", "A \ud800", "  ", " A ", "A\u0085a"),
});
const inputs = fc.oneof(
  shaped,
  fc.tuple(shaped, worded).map(([input, words]) => ({ ...Object(input), ...words })),
);

/**
 * The rules in the descriptions of the fields: outer white space does not count, and
 * `referralOther` counts beside the referral "other" only.
 */
function asJudged(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const isOther = Object.entries(input).some(
    ([key, value]) => key === "referral" && value === "other",
  );
  return Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => {
      if (typeof value !== "string") return [[key, value]];
      if (key === "referralOther" && !isOther) return [];
      return [[key, key === "email" || key === "name" ? value.trim() : value]];
    }),
  );
}

/** And a name shows two characters and holds no control, and "other" is said in words. */
function isMeaningful(input: object): boolean {
  const { name = "", referral, referralOther }: Record<string, string> = { ...input };
  const points = [...name].map((character) => character.codePointAt(0) ?? 0);
  const isControl = (point: number) => point < 0x20 || (point >= 0x7f && point < 0xa0);
  const isBlank = (point: number) => point === 0x20 || (point >= 0xd800 && point <= 0xdfff);
  const isSaid = referral !== "other" || referralOther !== undefined;
  return (
    isSaid &&
    isPlain(name) &&
    !points.some(isControl) &&
    points.filter((point) => !isBlank(point)).length >= 2
  );
}

/** Nothing that a mail program makes a link of. */
function isPlain(name: string): boolean {
  const text = name.normalize("NFKC").toLowerCase();
  const beforeSlashes = text.split(/\s/).flatMap((word) => word.split("/").slice(0, -1));
  return (
    !["<", ">", "://", "www.", "mailto:"].some((mark) => text.includes(mark)) &&
    !beforeSlashes.some((host) => /[^.]\.[^.]+$/.test(host))
  );
}

test("the published schema of a signup and the runtime accept the same, but for the rules in words", () => {
  const count = { accepted: 0, rejected: 0, rejectedInWords: 0, acceptedInWords: 0 };
  for (const input of fc.sample(inputs, TRIES)) {
    const judged = asJudged(input);
    const fits = accepts(judged);
    const valid = fits && isMeaningful(Object(judged));
    const parsed = v.safeParse(BetaSignupSchema, input);
    if (parsed.success !== valid) {
      throw new Error(`The schema says ${valid} to ${JSON.stringify(input)}`);
    }
    if (parsed.success) expect(accepts(asJudged(parsed.output))).toBe(true);
    count[valid ? "accepted" : "rejected"]++;
    if (fits && !valid) count.rejectedInWords++;
    if (valid && !accepts(input)) count.acceptedInWords++;
  }
  // Every way of judging must be well tried for this to show anything.
  expect(Math.min(count.accepted, count.rejected)).toBeGreaterThan(TRIES.numRuns / 10);
  expect(Math.min(count.rejectedInWords, count.acceptedInWords)).toBeGreaterThan(
    TRIES.numRuns / 50,
  );
});

test("the descriptions say what the schema cannot", () => {
  expect(schema.properties?.email?.description).toContain("Trimmed, checked, then lower-cased");
  expect(schema.properties?.name?.description).toContain(
    "Trimmed; at least two visible characters, no control character",
  );
  expect(schema.properties?.referralOther?.description).toBe(
    "Required when referral is other, ignored otherwise.",
  );
});
