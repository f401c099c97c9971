import { expect, test } from "bun:test";
import type { MailFilterInput, McpConfigInput } from "../../schemas/index.ts";
import { parseZaps } from "../../src/automation-cost/index.ts";
import { calculateAutomationCost, callTool, createMailFilters } from "../../src/index.ts";
import { parseMailFilters } from "../../src/mail-filter/index.ts";
import { createMcpConfig, parseMcpConfig } from "../../src/mcp-config/index.ts";

/*
 * Most of this is checked by the compiler, `npm run check`: a program that should not compile is
 * marked, and one that should has no mark.
 */

const FILTERS = {
  filters: [{ from: ["a@x.com"], subject: ["invoice"], label: "A", importance: "never" }],
} as const satisfies MailFilterInput;
const SERVER = { name: "a", command: "b", args: ["-y"], env: { A: "b" } } as const;
const ZAPS = { zaps: [{ action_steps: 1, runs_per_month: 1 }], billing: "monthly" } as const;

test("inputs may be constants", () => {
  const args: readonly string[] = SERVER.args;
  const server: McpConfigInput = { name: "a", command: "b" };
  // The fields of an input may be set one after the other.
  server.args = args;
  expect(createMailFilters(FILTERS).filters).toHaveLength(1);
  expect(createMcpConfig(server).clients[0]?.entry).toBe(
    createMcpConfig({ ...SERVER, env: {} }).clients[0]?.entry,
  );
  expect(calculateAutomationCost(ZAPS).billing).toBe("monthly");
});

test("what was read may be edited", () => {
  const input = parseMailFilters(createMailFilters(FILTERS).file.content);
  input.filters[0]?.from?.push("b@x.com");
  input.filters.push({ to: ["me"], star: true });
  expect(createMailFilters({ filters: input.filters }).filters.map(({ search }) => search)).toEqual(
    ["from:(a@x.com OR b@x.com) subject:(invoice)", "to:(me)"],
  );
  const { servers } = parseMcpConfig(JSON.stringify({ mcpServers: { a: SERVER } }));
  servers[0]?.input.args?.push("x");
  expect(servers[0]?.input.args).toEqual(["-y", "x"]);
});

test("the Zaps that were read are an input", () => {
  const { zaps } = parseZaps("Zap,Steps,Runs\nA,1,2");
  expect(calculateAutomationCost({ zaps }, { limits: "extended" }).monthly_tasks).toBe(2);
});

test("the root exports no type of a contract, which is the schema library's", () => {
  // @ts-expect-error of handtools/schemas
  type Contract = import("../../src/index.ts").Contract;
  // @ts-expect-error of handtools/schemas
  type ValidInput = import("../../src/index.ts").ValidInputOf<never>;
  const none: readonly (Contract | ValidInput)[] = [];
  expect(none).toEqual([]);
});

test("callTool() has the result of its tool", () => {
  const called = callTool("mail_filter_generator", FILTERS);
  if (!called.ok) throw new Error(called.error.message);
  const name: "mailFilters.xml" = called.value.file.name;
  expect(name).toBe("mailFilters.xml");
  // @ts-expect-error another tool has it
  expect(called.value.clients).toBeUndefined();
  const unknown: string = "mail_filter_generator";
  const any = callTool(unknown, FILTERS);
  // @ts-expect-error not known before the call
  expect(any.ok && any.value.file.name).toBe(name);
});
