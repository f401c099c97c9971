import { describe, expect, test } from "bun:test";
import { CLIENTS } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { renderMcpConfig } from "../../../src/mcp-config/text.ts";
import { configOf } from "./support.ts";

const result = mcpConfig({ name: "a__b", command: "npx", args: ["a b", "${HOME}"] });

describe("with a client", () => {
  test.each([...CLIENTS])("%s is its snippet, byte for byte", (client) => {
    const { text } = renderMcpConfig(result, { client });
    expect(text).toBe(configOf(result, client).snippet);
  });

  test.each([
    ["claude-desktop", ["double-underscore", "reference-as-text", "windows-argument-space"]],
    ["claude-code", ["double-underscore"]],
    ["codex", ["double-underscore", "reference-as-text"]],
  ] as const)("%s has the general warnings and its own", (client, codes) => {
    const { warnings } = renderMcpConfig(result, { client });
    expect(warnings.map(({ code }) => code)).toEqual([...codes]);
    expect(warnings.map(({ path }) => path)).not.toContainEqual(expect.stringContaining("clients"));
  });
});

describe("without a client", () => {
  const { text, warnings } = renderMcpConfig(result, {});

  test("has all the warnings, those of a client without its place in the result", () => {
    expect(result.warnings.map(({ path }) => path)).toEqual([
      "name",
      ...["clients[0]", "clients[0]", "clients[4]"],
    ]);
    expect(warnings).toEqual(
      result.warnings.map((warning) => ({
        ...warning,
        path: warning.path === "name" ? "name" : "",
      })),
    );
  });

  test("has every config whole, in the order of the result", () => {
    const places = result.clients.map(({ snippet, title }) => {
      expect(text).toContain(`${title}\n${"=".repeat(title.length)}\n`);
      return text.indexOf(snippet, text.indexOf(`${title}\n=`));
    });
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("has every path, command, link and note", () => {
    for (const { locations, install, notes } of result.clients) {
      const parts = [
        ...locations.map(({ path }) => path),
        ...Object.values(install),
        ...notes,
      ].filter((part) => part !== undefined);
      for (const part of parts) expect(text).toContain(part);
    }
  });
});
