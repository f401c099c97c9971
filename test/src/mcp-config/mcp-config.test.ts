import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { tries } from "../../support/runs.ts";
import { configOf, localInput, referring, remoteInput } from "./support.ts";

/** Servers that a link is given for. */
const withoutValues = fc.oneof(
  localInput.map(({ env: _, ...input }) => input),
  remoteInput.map(({ headers: _, ...input }) => input).filter(({ url }) => !url.includes("token=")),
);

/** The entry of Cursor and VS Code for a server without env and headers. */
function entryOf(input: McpConfigInput): object {
  const { command, args = [], url } = referring(input, (name) => `\${env:${name}}`);
  if (url !== undefined) return { type: "http", url };
  return { type: "stdio", command, ...(args.length > 0 && { args }) };
}

describe("links", () => {
  test("VS Code's reads the same decoded once and twice, with ? and # encoded or not", () => {
    fc.assert(
      fc.property(withoutValues, (input) => {
        const { link = "" } = configOf(createMcpConfig(input), "vscode").install;
        expect(link).toMatch(/^vscode:mcp\/install\?[\w.~%!*()-]+$/);
        const once = decodeURIComponent(link.slice(link.indexOf("?") + 1));
        const wanted = { name: input.name, ...entryOf(input) };
        expect(JSON.parse(once)).toEqual(wanted);
        expect(JSON.parse(decodeURIComponent(once))).toEqual(wanted);
        // VS Code's own parser may encode these two again.
        const between = once.replaceAll("?", "%3F").replaceAll("#", "%23");
        expect(JSON.parse(between)).toEqual(wanted);
      }),
      tries(40),
    );
  });

  test("Cursor's holds the name, and the bare entry in base64 of ASCII", () => {
    fc.assert(
      fc.property(withoutValues, (input) => {
        const { link = "" } = configOf(createMcpConfig(input), "cursor").install;
        const { protocol, host, pathname, searchParams } = new URL(link);
        expect(protocol + host + pathname).toBe("cursor:anysphere.cursor-deeplink/mcp/install");
        expect(searchParams.get("name")).toBe(input.name);
        const json = Buffer.from(searchParams.get("config") ?? "", "base64").toString("latin1");
        expect(json).toMatch(/^[ -~]*$/);
        expect(JSON.parse(json)).toEqual(entryOf(input));
      }),
      tries(40),
    );
  });

  const HISTORY = "would end up in your browser history.";
  const WHY = "your browser history would keep it";
  const local = { name: "a", command: "b" };
  test.each<[McpConfigInput, string]>([
    [
      { name: "far", url: "https://a.com", headers: { "X-A": "1", "X-B": "Bearer x" } },
      `a value is written out (X-A and X-B): ${WHY}. Use \${FAR_X_A} and \${FAR_X_B} instead.`,
    ],
    [{ ...local, args: ["--api-key", "abc"] }, `args seems to hold a secret: it ${HISTORY}`],
    [{ ...local, args: ["--token=abc"] }, `args seems to hold a secret: it ${HISTORY}`],
    [{ name: "a", url: "https://a.com/?token=abc" }, `url seems to hold a secret: it ${HISTORY}`],
  ])("there is none with %p, and a note says why", (input, why) => {
    for (const client of ["cursor", "vscode"] as const) {
      const { install, notes } = configOf(createMcpConfig(input), client);
      expect(install.link).toBeUndefined();
      expect(notes).toContain(`No one-click install while ${why}`);
    }
  });
});

describe("the PowerShell line", () => {
  /** How a Windows program splits `\"`: a quote after an odd number of backslashes is a quote. */
  const unquote = (argument: string) => argument.replaceAll('\\"', '"');

  test("gives the program the same JSON as the bash line, with nothing for cmd.exe to take", () => {
    fc.assert(
      fc.property(fc.oneof(localInput, remoteInput), (input) => {
        const { powershell = "", bash = "" } = configOf(createMcpConfig(input), "vscode").install;
        const argument = /^code --add-mcp '([^']*)'$/.exec(powershell)?.[1] ?? "";
        expect(argument).toMatch(/^(?:\\"|\\[a-z]|[^\\"%&<>^|!`\u0000-\u001f\u007f-\uffff])*$/);
        const json = bash.slice("code --add-mcp '".length, -1).replaceAll(`'\\''`, "'");
        expect(JSON.parse(unquote(argument))).toEqual(JSON.parse(json));
      }),
      tries(40),
    );
  });

  test("is left out when cmd.exe could not take its length", () => {
    const args = Array.from({ length: 9 }, () => "x".repeat(1000));
    const { install } = configOf(createMcpConfig({ name: "a", command: "b", args }), "vscode");
    expect(Object.keys(install)).toEqual(["bash", "link"]);
  });
});

test.each(["constructor", "toString", "__defineGetter__", "workspace", "computer-use"])(
  "claude mcp add rejects the name %s",
  (name) => {
    const { install, notes, snippet } = configOf(
      createMcpConfig({ name, command: "b" }),
      "claude-code",
    );
    expect(install).toEqual({});
    expect(notes.join("\n")).toContain(`rejects the name ${name}`);
    expect(Object.keys(JSON.parse(snippet).mcpServers)).toEqual([name]);
  },
);
