import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { InvalidInputError } from "../../../src/index.ts";
import { createReadmeSection } from "../../../src/mcp-config/index.ts";
import { tries } from "../../support/runs.ts";
import { localInput, remoteInput } from "./support.ts";

const npx: McpConfigInput = { name: "notes", command: "npx", args: ["-y", "notes"] };
const linksOf = (input: McpConfigInput) =>
  Array.from(
    createReadmeSection(input).markdown.matchAll(/\]\((https:[^)]*)\)\n?/g),
    ([, link = ""]) => link,
  ).filter((link) => !link.includes("shields.io"));
const configIn = (link = ""): unknown => {
  const config = String(new URL(link).searchParams.get("config"));
  return JSON.parse(config.startsWith("{") ? config : atob(config));
};

describe("the section has", () => {
  test("a reference in place of a literal secret, for which VS Code asks", () => {
    const input = { ...npx, env: { API_KEY: "s3cret-value" } };
    expect(createReadmeSection(input).markdown).not.toContain("s3cret");
    const [cursor = "", vscode = ""] = linksOf(input);
    expect(configIn(cursor)).toMatchObject({ env: { API_KEY: "${env:API_KEY}" } });
    expect(configIn(vscode)).toMatchObject({ env: { API_KEY: "${input:notes_api_key}" } });
    const prompt = { type: "promptString", id: "notes_api_key", description: "API_KEY of notes" };
    expect(JSON.parse(String(new URL(vscode).searchParams.get("inputs")))).toEqual([
      { ...prompt, password: true },
    ]);
  });

  test("nothing of a secret that is repeated in another value", () => {
    const env = { API_KEY: "s3cret-value", PLAIN: "s3cret-value too" };
    expect(createReadmeSection({ ...npx, env }).markdown).not.toContain("s3cret");
    expect(() => createReadmeSection({ ...npx, env, args: ["--x=s3cret-value"] })).toThrow(
      "must not show",
    );
  });

  test("a header's secret as a variable of the server, which no other one reads", () => {
    const headers = { Authorization: "Bearer s3cret-value" };
    const input = { name: "docs", url: "https://docs.example/mcp", headers };
    const { markdown } = createReadmeSection(input, { clients: ["cursor", "codex"] });
    expect(markdown).toContain('"Authorization": "${env:DOCS_AUTHORIZATION}"');
    expect(markdown).toContain('Authorization = "DOCS_AUTHORIZATION"');
  });

  test.each<[string, McpConfigInput]>([
    ["args", { ...npx, args: ["--token", "s3cret-value"] }],
    ["url", { name: "a", url: "https://x.example/mcp?token=s3cret-value" }],
  ])("nothing for a secret in %s", (_, input) => {
    expect(() => createReadmeSection(input)).toThrow(InvalidInputError);
  });
});

test("whatever a server has, its links are readable", () => {
  fc.assert(
    fc.property(fc.oneof(localInput, remoteInput), (input) => {
      try {
        const { markdown } = createReadmeSection(input);
        for (const link of linksOf(input)) {
          expect(configIn(link)).toMatchObject(
            input.command === undefined ? { url: expect.any(String) } : { command: input.command },
          );
        }
        expect(createReadmeSection(input).markdown).toBe(markdown);
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
      }
    }),
    tries(40),
  );
});
