import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { McpConfigInput } from "../../../../schemas/index.ts";
import { InvalidInputError } from "../../../../src/index.ts";
import { lintMcpReadme, mcpReadme } from "../../../../src/mcp-config/index.ts";
import {
  ReadmeMarkerError,
  replaceInstallBlock,
} from "../../../../src/mcp-config/readme/install-block.ts";
import { installLinksIn } from "../../../../src/mcp-config/readme/install-links.ts";
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
    const { markdown, left_out } = mcpReadme(npx);
    expect(linksOf(npx).map((link) => new URL(link).host)).toEqual([
      ...["cursor.com", "insiders.vscode.dev", "kiro.dev", "lmstudio.ai"],
    ]);
    expect(
      Array.from(markdown.matchAll(/<summary>(.*)<\/summary>/g), ([, title]) => title),
    ).toEqual([
      ...["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Codex", "Kiro", "LM Studio"],
    ]);
    expect(left_out).toEqual([]);
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

  test("no button whose link would be too long", () => {
    const args = Array.from({ length: 40 }, () => "x".repeat(200));
    const { left_out, markdown } = mcpReadme({ ...npx, args });
    expect(left_out.map(({ client }) => client)).toEqual(["cursor", "vscode", "kiro", "lm-studio"]);
    expect(markdown).not.toContain("Install_in");
  });

  test.each<[string, McpConfigInput]>([
    ["args", { ...npx, args: ["--token", "s3cret-value"] }],
    ["url", { name: "a", url: "https://x.example/mcp?token=s3cret-value" }],
  ])("nothing for a secret in %s", (_, input) => {
    expect(() => mcpReadme(input)).toThrow(InvalidInputError);
  });
});

test("whatever a server has, its links are readable and start the same", () => {
  fc.assert(
    fc.property(fc.oneof(localInput, remoteInput), (input) => {
      try {
        const { markdown } = mcpReadme(input);
        // Values that look like a place to fill, or like a command line, are compared without them.
        const broken = lintMcpReadme(markdown).filter(
          ({ code }) => code === "unreadable-link" || code === "stripped-link",
        );
        expect(broken).toEqual([]);
        expect(mcpReadme(input).markdown).toBe(markdown);
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
      }
    }),
    tries(100),
  );
});

const OPEN = "<!-- handtools:install -->";
const CLOSE = "<!-- /handtools:install -->";

describe("the place between the markers", () => {
  test("takes the section, and nothing else changes", () => {
    expect(replaceInstallBlock(`# A\n\n${OPEN}\nold\n${CLOSE}\n\nend`, "new\n")).toBe(
      `# A\n\n${OPEN}\n\nnew\n\n${CLOSE}\n\nend`,
    );
  });

  test("is the same after a second time", () => {
    const { markdown } = mcpReadme(npx);
    const once = replaceInstallBlock(`${OPEN}\n${CLOSE}\n`, markdown);
    expect(replaceInstallBlock(once, markdown)).toBe(once);
  });

  test("keeps CRLF and the marker's indentation", () => {
    expect(replaceInstallBlock(`- a\r\n  ${OPEN}\r\n  ${CLOSE}\r\n`, "b\n\nc\n")).toBe(
      `- a\r\n  ${OPEN}\r\n\r\n  b\r\n\r\n  c\r\n\r\n  ${CLOSE}\r\n`,
    );
  });

  test("is not in a block of code", () => {
    const code = `\`\`\`md\n${OPEN}\n${CLOSE}\n\`\`\`\n`;
    expect(() => replaceInstallBlock(code, "x")).toThrow("add a line");
    expect(replaceInstallBlock(`${code}${OPEN}\n${CLOSE}\n`, "x\n")).toBe(
      `${code}${OPEN}\n\nx\n\n${CLOSE}\n`,
    );
  });

  test.each([
    ["no markers", "# A\n"],
    ["an open marker alone", `${OPEN}\n`],
    ["a close marker alone", `${CLOSE}\n`],
    ["two pairs", `${OPEN}\n${CLOSE}\n${OPEN}\n${CLOSE}\n`],
    ["two open markers", `${OPEN}\n${OPEN}\n${CLOSE}\n`],
    ["the wrong order", `${CLOSE}\n${OPEN}\n`],
  ])("is rejected with %s", (_, text) => {
    expect(() => replaceInstallBlock(text, "x")).toThrow(ReadmeMarkerError);
  });
});

describe("lint", () => {
  const cursor = (entry: object, base = "https://cursor.com/en/install-mcp") =>
    `[a](${base}?name=x&config=${encodeURIComponent(btoa(JSON.stringify(entry)))})`;
  const vscode = (entry: object, base = "https://insiders.vscode.dev/redirect/mcp/install") =>
    `[a](${base}?name=x&config=${encodeURIComponent(JSON.stringify(entry))})`;
  const kiro = (entry: object) => vscode(entry, "https://kiro.dev/launch/mcp/add");
  const notes = { command: "npx", args: ["-y", "notes@1"] };

  test("finds nothing in what mcpReadme writes", () => {
    const env = { KEY: "${KEY}", LOG: "info" };
    expect(lintMcpReadme(mcpReadme({ ...npx, env }).markdown, { ...npx, env })).toEqual([]);
  });

  const CASES: [string, string, string[]][] = [
    ["links that start the same", `${cursor(notes)} ${vscode(notes)} ${kiro(notes)}`, []],
    [
      "-y or not, and cmd /c",
      `${cursor({ command: "cmd", args: ["/c", "npx", "notes@1"] })} ${vscode(notes)}`,
      [],
    ],
    [
      "different values of variables",
      `${cursor({ ...notes, env: { A: "1" } })} ${vscode({ ...notes, env: { A: "${input:a}" } })}`,
      [],
    ],
    [
      "places to fill",
      `${cursor({ command: "npx a --x <your key>" })} ${vscode({ command: "npx", args: ["a", "--x", "${input:x}"] })}`,
      ["command-line"],
    ],
    ["a link with &amp;", vscode(notes).replace("&", "&amp;"), []],
    [
      "one package twice, with other arguments, in both clients",
      [cursor, vscode]
        .map((make) => `${make(notes)} ${make({ ...notes, args: ["notes", "--read"] })}`)
        .join("\n"),
      [],
    ],
    [
      "two servers in both clients",
      [cursor, vscode]
        .map((make) => `${make(notes)} ${make({ command: "uvx", args: ["b"] })}`)
        .join("\n"),
      [],
    ],
    ["a link in a block of code", `\`\`\`\n${cursor({})}\n\`\`\``, []],
    [
      "another argument",
      `${cursor(notes)} ${vscode({ ...notes, args: ["notes@1", "--write"] })}`,
      ["links-differ"],
    ],
    [
      "another variable",
      `${cursor(notes)} ${vscode({ ...notes, env: { A: "1" } })}`,
      ["links-differ"],
    ],
    [
      "another package",
      `${cursor(notes)} ${kiro({ command: "uvx", args: ["notes"] })}`,
      ["links-differ"],
    ],
    [
      "another version",
      `${cursor(notes)} ${kiro({ command: "npx", args: ["notes@2"] })}`,
      ["links-differ"],
    ],
    [
      "the latest version, which npx takes anyway",
      `${cursor({ command: "npx", args: ["a"] })} ${kiro({ command: "npx", args: ["a@latest"] })}`,
      [],
    ],
    [
      "the latest version, where the program keeps an older one",
      `${cursor({ command: "uvx", args: ["a"] })} ${kiro({ command: "uvx", args: ["a@latest"] })}`,
      ["links-differ"],
    ],
    [
      "a config that is not base64",
      "[a](https://cursor.com/en/install-mcp?name=x&config=a==b)",
      ["unreadable-link"],
    ],
    [
      "a config that is not JSON",
      `[a](https://cursor.com/install-mcp?name=x&config=${btoa('{"a"')})`,
      ["unreadable-link"],
    ],
    ["a config without a command", cursor({ name: "x" }), ["unreadable-link"]],
    ["no config", "[a](https://kiro.dev/launch/mcp/add?name=x)", ["unreadable-link"]],
    [
      "a scheme that GitHub drops",
      cursor(notes, "cursor://anysphere.cursor-deeplink/mcp/install"),
      ["stripped-link"],
    ],
    [
      "VS Code's own scheme",
      `<a href="vscode:mcp/install?${encodeURIComponent(JSON.stringify(notes))}">`,
      ["stripped-link"],
    ],
    ["a whole command line in command", cursor({ command: "npx -y notes" }), ["command-line"]],
  ];
  test.each(CASES)("of %s", (_, text, codes) => {
    expect(lintMcpReadme(text).map(({ code }): string => code)).toEqual(codes);
  });

  test("compares with the server of a file", () => {
    const found = lintMcpReadme(`a\n${cursor(notes)}`, {
      name: "n",
      command: "npx",
      args: ["-y", "notes@2"],
    });
    expect(found).toEqual([
      {
        code: "other-server",
        severity: "warning",
        line: 2,
        message: 'the button of Cursor starts "npx notes@1", not "npx notes@2"',
      },
    ]);
  });

  test("reads the link of VS Code in another one", () => {
    const inner = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(notes))}`;
    const [link] = installLinksIn(
      `[a](https://vscode.dev/redirect?url=${encodeURIComponent(inner)})`,
    );
    expect(link?.server?.shown).toBe("npx notes@1");
  });
});
