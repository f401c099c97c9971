import { expect, test } from "bun:test";
import { createMcpConfig } from "../../../src/index.ts";
import { renderMcpConfig } from "../../../src/mcp-config/render-config.ts";

test("a pasted entry reads as the one of the result, whatever its lists hold", () => {
  const args = ["]", "],", "a: [", " x ", "y".repeat(120), ": ["];
  const odd = createMcpConfig({ name: "odd", command: "c", args, env: { A: "[" } });
  const shown = renderMcpConfig(odd);
  const entry = /entry in "mcpServers":\n((?: {4}.*\n)+)/.exec(shown)?.[1] ?? "";
  expect(JSON.parse(`{${entry}}`)).toEqual({ odd: { command: "c", args, env: { A: "[" } } });
});
