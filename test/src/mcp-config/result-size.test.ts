import { describe, expect, test } from "bun:test";
import { ALL_CLIENTS, type McpConfigInput, mcpConfigContract } from "../../../schemas/index.ts";
import { validate } from "../../../src/issues.ts";
import { createMcpConfig, mcpConfigTool } from "../../../src/mcp-config/mcp-config.ts";
import { rejection } from "../../support/rejection.ts";

const MILLION = 1_000_000;

const run = (input: McpConfigInput, resultBytes?: number) =>
  mcpConfigTool.run(
    validate(mcpConfigContract.input, input),
    resultBytes === undefined ? undefined : { resultBytes },
  );

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Inputs of at most 16 KiB, and the field that makes most of their result. */
const LARGE: [string, McpConfigInput, string][] = [
  ["args of DEL", local({ args: Array.from({ length: 16 }, () => "\u007f".repeat(1000)) }), "args"],
  ["env of DEL", local({ env: numbered(8, () => "\u007f".repeat(2000)) }), "env"],
];

describe("a result above the limit", () => {
  test.each(LARGE)("%s is rejected with the field", (_, input, field) => {
    expect(bytesOf(run(input))).toBeGreaterThan(MILLION);
    expect(rejection(() => run(input, MILLION))).toBe(
      `${field}: must be shorter: the result would exceed 1,000,000 bytes; remove hidden characters first`,
    );
  });

  test.each(LARGE)("%s begins with its first byte", (_, input, field) => {
    const result = run(input);
    expect(run(input, bytesOf(result))).toEqual(result);
    expect(rejection(() => run(input, bytesOf(result) - 1))).toContain(field);
  });

  test("is one by all clients together, where each writes little", () => {
    const input = local({ args: Array.from({ length: 4 }, () => "\u007f".repeat(1000)) });
    const options = { clients: ALL_CLIENTS };
    expect(bytesOf(createMcpConfig(input, options))).toBeGreaterThan(MILLION);
    expect(() => createMcpConfig(input, { ...options, resultBytes: MILLION })).toThrow(
      "args: must be shorter",
    );
  });
});

function local(fields: Partial<McpConfigInput>): McpConfigInput {
  return { name: "a", command: "npx", ...fields };
}

function numbered(count: number, value: () => string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`k${index.toString(36)}`, value()]),
  );
}
