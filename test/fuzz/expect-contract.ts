import { expect } from "bun:test";
import * as v from "valibot";
import type { ToolResult } from "../../src/index.ts";
import { jsonSchema } from "../../src/index.ts";
import { compile } from "../schemas/json-schema-validator.ts";
import type { Subject } from "./subjects.ts";

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
