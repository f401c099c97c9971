import { describe, expect, test } from "bun:test";
import { CLIENTS } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { renderMcpConfig } from "../../../src/mcp-config/render.ts";
import { configOf } from "./support.ts";

const input = { name: "a__b", command: "npx", args: ["a b", "${HOME}"] };
const result = mcpConfig(input);

describe("with a client", () => {
  test.each([...CLIENTS])("%s is its snippet, byte for byte", (client) => {
    const { text } = renderMcpConfig(mcpConfig(input, { clients: [client] }));
    expect(text).toBe(configOf(result, client).snippet);
  });

  test.each([
    ["claude-desktop", ["unsuitable-name", "reference-as-text", "windows-argument"]],
    ["claude-code", ["unsuitable-name"]],
    ["codex", ["unsuitable-name", "reference-as-text"]],
  ] as const)("%s has the general warnings and its own", (client, codes) => {
    const { warnings } = renderMcpConfig(mcpConfig(input, { clients: [client] }));
    expect(warnings.map(({ code }) => code)).toEqual([...codes]);
    expect(warnings.map(({ path }) => path)).not.toContainEqual(expect.stringContaining("clients"));
  });
});

test("with several clients it has their entries, and the warnings that concern them", () => {
  const { text, warnings } = renderMcpConfig(mcpConfig(input, { clients: ["cursor", "codex"] }));
  expect(text.match(/^[A-Z]\w+$/gm)).toEqual(["Cursor", "Codex"]);
  expect(warnings.map(({ code }) => code)).toEqual(["unsuitable-name", "reference-as-text"]);
});

describe("without a client", () => {
  const { text, warnings } = renderMcpConfig(result);

  test("has all the warnings, those of a client without its place in the result", () => {
    expect(result.warnings.map(({ path }) => path)).toEqual([...["name", "args[1]", "clients[0]"]]);
    expect(warnings).toEqual(
      result.warnings.map((warning) => ({
        ...warning,
        path: warning.path === "clients[0]" ? "" : warning.path,
      })),
    );
  });

  test("has every entry once, in the order of the result", () => {
    const places = result.clients.map(({ title }) => text.indexOf(`\n${title}\n  `));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).toContain('entry in "servers": as for Cursor\n');
    expect(text).toContain('\n      "args": ["a b", "${HOME}"]\n');
  });

  test("has a pasted entry that reads as the one of the result", () => {
    const args = ["]", "],", "a: [", " x ", "y".repeat(120), ": ["];
    const odd = mcpConfig({ name: "odd", command: "c", args, env: { A: "[" } });
    const shown = renderMcpConfig(odd).text;
    const entry = /entry in "mcpServers":\n((?: {4}.*\n)+)/.exec(shown)?.[1] ?? "";
    expect(JSON.parse(`{${entry}}`)).toEqual({ odd: { command: "c", args, env: { A: "[" } } });
  });

  test("has every path, command and link, and every note but how to paste, once", () => {
    const notes = result.clients.flatMap(({ notes: [, ...rest] }) => rest);
    for (const { locations, install } of result.clients) {
      for (const { path } of locations) expect(text).toContain(`: ${path}\n`);
      for (const line of Object.values(install)) expect(text).toContain(`: ${line}\n`);
    }
    for (const note of notes) expect(text.split(`- ${note}\n`)).toHaveLength(2);
  });

  test("takes few lines for one server", () => {
    const files = mcpConfig({ name: "files", command: "npx", args: ["-y", "files", "/home/me"] });
    expect(renderMcpConfig(files).text.split("\n").length).toBeLessThan(66);
  });
});
