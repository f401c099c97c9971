import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { McpConfigInput } from "../../../../schemas/index.ts";
import { InvalidInputError } from "../../../../src/index.ts";
import { mcpReadme } from "../../../../src/mcp-config/index.ts";
import { tries } from "../../../support/runs.ts";
import { localInput, remoteInput } from "../support.ts";

const npx: McpConfigInput = { name: "notes", command: "npx", args: ["-y", "notes"] };
const linksOf = (input: McpConfigInput) =>
  Array.from(
    mcpReadme(input).markdown.matchAll(/\]\((https:[^)]*)\)\n?/g),
    ([, link = ""]) => link,
  ).filter((link) => !link.includes("shields.io"));
const configIn = (link = ""): unknown => {
  const config = String(new URL(link).searchParams.get("config"));
  return JSON.parse(config.startsWith("{") ? config : atob(config));
};

describe("the section has", () => {
  test("a button for each client with a page for it, all https, and a fold for each client", () => {
    const { markdown } = mcpReadme(npx);
    expect(linksOf(npx).map((link) => new URL(link).host)).toEqual([
      ...["cursor.com", "insiders.vscode.dev", "kiro.dev", "lmstudio.ai"],
    ]);
    expect(
      Array.from(markdown.matchAll(/<summary>(.*)<\/summary>/g), ([, title]) => title),
    ).toEqual([
      ...["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Codex", "Kiro", "LM Studio"],
    ]);
  });

  test("command and args apart in every link", () => {
    for (const link of linksOf(npx)) {
      expect(configIn(link)).toMatchObject({ command: "npx", args: ["-y", "notes"] });
    }
  });

  test("only the clients that are asked for", () => {
    const { markdown } = mcpReadme(npx, { clients: ["codex", "cursor"] });
    expect(markdown.match(/<summary>.*/g)).toEqual([
      "<summary>Codex</summary>",
      "<summary>Cursor</summary>",
    ]);
  });

  test("a reference in place of a literal secret, for which VS Code asks", () => {
    const input = { ...npx, env: { API_KEY: "s3cret-value" } };
    expect(mcpReadme(input).markdown).not.toContain("s3cret");
    const [cursor = "", vscode = ""] = linksOf(input);
    expect(configIn(cursor)).toMatchObject({ env: { API_KEY: "${env:API_KEY}" } });
    expect(configIn(vscode)).toMatchObject({ env: { API_KEY: "${input:notes_api_key}" } });
    expect(JSON.parse(String(new URL(vscode).searchParams.get("inputs")))).toEqual([
      {
        type: "promptString",
        id: "notes_api_key",
        description: "API_KEY of notes",
        password: true,
      },
    ]);
  });

  test("nothing of a secret that is repeated in another value", () => {
    const env = { API_KEY: "s3cret-value", PLAIN: "s3cret-value too" };
    expect(mcpReadme({ ...npx, env }).markdown).not.toContain("s3cret");
    expect(() => mcpReadme({ ...npx, env, args: ["--x=s3cret-value"] })).toThrow("must not show");
  });

  test("a reference for every value, if it may be secret", () => {
    const { markdown } = mcpReadme(
      { ...npx, env: { PLAIN: "hush", OTHER: "${OTHER}" } },
      { hideValues: true },
    );
    expect(markdown).not.toContain("hush");
    expect(markdown).toContain('"PLAIN": "${PLAIN}"');
  });

  test("a header's secret as a variable of the server, which no other one reads", () => {
    const headers = { Authorization: "Bearer s3cret-value" };
    const input = { name: "docs", url: "https://docs.example/mcp", headers };
    const { markdown } = mcpReadme(input, { clients: ["cursor", "codex"] });
    expect(markdown).toContain('"Authorization": "${env:DOCS_AUTHORIZATION}"');
    expect(markdown).toContain('Authorization = "DOCS_AUTHORIZATION"');
  });

  test("an SSE server as one, also behind a bridge", () => {
    const input = { name: "notes", url: "https://x.example/events" };
    const { markdown, buttons } = mcpReadme(input, { transport: "sse" });
    const [cursor, vscode, kiro, lmStudio] = buttons.map(({ link }) => configIn(link));
    expect([cursor, vscode]).toEqual(Array(2).fill({ type: "sse", url: input.url }));
    expect(kiro).toMatchObject({
      command: "npx",
      args: ["-y", expect.stringMatching(/^mcp-remote@/), input.url, "--transport", "sse-only"],
    });
    expect(lmStudio).toEqual({ url: input.url });
    expect(markdown).toContain("claude mcp add --scope=user --transport=sse -- notes");
  });

  test("no button whose link would be too long", () => {
    const args = Array.from({ length: 40 }, () => "x".repeat(200));
    const { buttons, markdown } = mcpReadme({ ...npx, args });
    expect(buttons).toEqual([]);
    expect(markdown).not.toContain("Install_in");
  });

  test.each<[string, McpConfigInput]>([
    ["args", { ...npx, args: ["--token", "s3cret-value"] }],
    ["url", { name: "a", url: "https://x.example/mcp?token=s3cret-value" }],
  ])("nothing for a secret in %s", (_, input) => {
    expect(() => mcpReadme(input)).toThrow(InvalidInputError);
  });
});

test("whatever a server has, its links are readable", () => {
  fc.assert(
    fc.property(fc.oneof(localInput, remoteInput), (input) => {
      try {
        const { markdown } = mcpReadme(input);
        for (const link of linksOf(input)) {
          expect(configIn(link)).toMatchObject(
            input.command === undefined ? { url: expect.any(String) } : { command: input.command },
          );
        }
        expect(mcpReadme(input).markdown).toBe(markdown);
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
      }
    }),
    tries(100),
  );
});
