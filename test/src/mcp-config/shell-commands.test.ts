import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import fc from "fast-check";
import type { McpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { variableForServer } from "../../../src/mcp-config/variable-references.ts";
import { tries } from "../../support/runs.ts";
import { configOf, localInput, remoteInput, SECRET_NAMES, withReferences } from "./support.ts";
import { startedOnWindows } from "./windows.ts";

/*
 * The lines run in the shells of this machine, where `claude`, `codex` and `code` are functions
 * that print their arguments. A secret is read from its variable, which holds "value of <name>".
 */
const SECRETS: ReadonlySet<string> = new Set([...SECRET_NAMES, "Authorization", "X-Api-Key"]);

/** The values of the variables from which the lines for these servers read secrets. */
const variablesOf = (inputs: readonly McpConfigInput[]): ReadonlyMap<string, string> =>
  new Map([
    ...SECRET_NAMES.map((name): [string, string] => [name, `value of ${name}`]),
    ...inputs.flatMap(({ name, headers = {} }) =>
      Object.keys(headers).map((header): [string, string] => [
        variableForServer(name, header),
        `value of ${header}`,
      ]),
    ),
  ]);

const SHELLS = ["bash", "dash", "zsh", "mksh", "ksh93", "yash"].flatMap((name) => {
  const path = Bun.which(name);
  return path === null ? [] : [{ name, path }];
});
const BASH = Bun.which("bash") ?? "bash";
/** The path where mksh and yash, which lack `printf`, find it. */
const PATH = dirname(Bun.which("printf") ?? "/usr/bin/printf");

const SETUP = [
  "show() { printf '%s\\0' $# \"$@\"; }",
  'claude() { show claude "$@"; }; codex() { show codex "$@"; }; code() { show code "$@"; }',
];

/** The words that each line passes on. */
function runLines(
  lines: string[],
  inputs: readonly McpConfigInput[],
  locale: string,
  shell = BASH,
): string[][] {
  const variables = Array.from(variablesOf(inputs), ([name, value]) => `${name}='${value}'`);
  const bash = spawnSync(shell, ["-s"], {
    input: [...SETUP, ...variables, ...lines].join("\n"),
    env: { PATH, HOME: "/nowhere", LC_ALL: locale },
    timeout: 60_000,
    maxBuffer: 100_000_000,
  });
  expect(bash.stderr.toString()).toBe("");
  expect(bash.status).toBe(0);
  const output = bash.stdout.toString().split("\0");
  const calls: string[][] = [];
  while (output.length > 1) calls.push(output.splice(0, Number(output.shift())));
  return calls;
}

/** An empty value or a path is not a secret, nor is a reference with at most a scheme before it. */
const isSecret = ([name, value]: [string, string]) =>
  SECRETS.has(name) &&
  value !== "" &&
  !/^(?:~|\.\.?)\/|^[a-z]:\\/i.test(value) &&
  !(
    withReferences(value, () => "") !== value &&
    /^([A-Za-z][\w.+-]* )?$/.test(withReferences(value, () => ""))
  );

/** [name, value as the shell gives it] of an environment or of headers. */
const values = (map: Record<string, string> = {}): [string, string][] =>
  Object.entries(map).map(([name, value]) => [
    name,
    isSecret([name, value]) ? `value of ${name}` : value,
  ]);

function claudeWords({ name, command, args = [], env, url, headers }: McpConfigInput): string[] {
  const add = ["claude", "mcp", "add", "--scope=user"];
  if (url !== undefined) {
    const options = values(headers).map(([key, value]) => `--header=${key}: ${value}`);
    return [...add, "--transport=http", ...options, "--", name, url];
  }
  const options = values(env).map(([key, value]) => `--env=${key}=${value}`);
  return [...add, "--transport=stdio", ...options, "--", name, command ?? "", ...args];
}

function codexWords({ name, command, args = [], env, url }: McpConfigInput): string[] {
  if (url !== undefined) return ["codex", "mcp", "add", `--url=${url}`, "--", name];
  const options = values(env).flatMap(([key, value]) => ["--env", `${key}=${fromShell(value)}`]);
  return ["codex", "mcp", "add", ...options, "--", name, command ?? "", ...args.map(fromShell)];
}

/** The shell replaces a reference for Codex, which cannot. */
const fromShell = (value: string): string => value.replaceAll("${HOME}", "/nowhere");

/** Hostile servers, local and remote. */
const samples = () => [...fc.sample(localInput, tries(30)), ...fc.sample(remoteInput, tries(10))];

describe.each(SHELLS)("$name", ({ name, path }) => {
  // In the C locale yash reads no script with a character beyond ASCII.
  const locales = name === "yash" ? ["C.UTF-8"] : ["C", "C.UTF-8"];
  test.each(locales)("passes hostile words on exactly (locale %s)", (locale) => {
    const inputs = samples();
    const calls = inputs.flatMap((input) => {
      const result = createMcpConfig(input);
      const { bash: claude } = configOf(result, "claude-code").install;
      const { bash: codex } = configOf(result, "codex").install;
      return [
        ...(claude === undefined ? [] : [{ line: claude, words: claudeWords(input) }]),
        ...(codex === undefined ? [] : [{ line: codex, words: codexWords(input) }]),
      ];
    });
    const lines = calls.map(({ line }) => line);
    expect(runLines(lines, inputs, locale, path)).toEqual(calls.map(({ words }) => words));
  });
});

describe("in PowerShell", () => {
  const shellVariables = (inputs: readonly McpConfigInput[]) =>
    new Map([["HOME", "/nowhere"], ...variablesOf(inputs)]);
  const linesOf = (input: McpConfigInput) =>
    (["claude-code", "codex"] as const).map(
      (client) => configOf(createMcpConfig(input), client).install,
    );

  test("hostile words arrive as from bash, by every way to start a program", () => {
    const inputs = samples();
    const pairs = inputs
      .flatMap(linesOf)
      .flatMap(({ bash, powershell }) => (bash && powershell ? [{ bash, powershell }] : []));
    expect(pairs.length).toBeGreaterThan(5);
    const wanted = runLines(
      pairs.map(({ bash }) => bash),
      inputs,
      "C.UTF-8",
    );
    const ways = pairs.map(({ powershell }) =>
      startedOnWindows(powershell, shellVariables(inputs)),
    );
    expect(ways).toEqual(wanted.map((words) => [words, words, words]));
  });

  const PLACES = [
    ...["C:\\Users\\José Müller\\a.json", "/path/to/folder", "it's", "‘a’ “b”", "$HOME `n ${x}"],
    ...["~/notes", "a  b", "=", "-a:b", "漢字", "!x!", "{}", "a;b"],
  ];
  test.each(PLACES)("%p arrives", (word) => {
    const [claude] = linesOf({ name: "a", command: "run", args: [word, "end"] });
    const words = ["claude", "mcp", "add", "--scope=user", "--transport=stdio", "--", "a", "run"];
    for (const way of startedOnWindows(claude?.powershell ?? "", new Map()))
      expect(way).toEqual([...words, word, "end"]);
  });

  test.each(["", "--%", 'a"b', "100%", "a&b", "a|b", "<x>", "a^b", "(a)", "C:\\a\\"])(
    "%p has no line, and a note says why",
    (word) => {
      const result = createMcpConfig({ name: "a", command: "run", args: [word, "end"] });
      const { install, notes } = configOf(result, "claude-code");
      expect(Object.keys(install)).toEqual(["bash"]);
      expect(notes.join("\n")).toContain("There is no PowerShell command");
    },
  );

  test.each([undefined, "", 'a"b', "a&b", "a\\"])(
    "the line stops while a secret is %p",
    (value) => {
      const env = { API_KEY: "s3cret" };
      for (const { powershell = "" } of linesOf({ name: "a", command: "b", env })) {
        const variables = new Map(value === undefined ? [] : [["API_KEY", value]]);
        expect(() => startedOnWindows(powershell, variables)).toThrow("API_KEY is not set");
        expect(powershell).not.toContain("s3cret");
      }
    },
  );
});

test.each(["a\nb", "a\u200bb", "\u001b[31m"])("%p has no line, and a note says why", (word) => {
  const result = createMcpConfig({ name: "a", command: "b", args: [word] });
  const { install, notes } = configOf(result, "claude-code");
  expect(install).toEqual({});
  expect(notes.join("\n")).toContain("contains a line break or a hidden character");
});

test("a line shows no control or hidden character", () => {
  fc.assert(
    fc.property(fc.oneof(localInput, remoteInput), (input) => {
      for (const { install } of createMcpConfig(input).clients) {
        expect(Object.values(install).join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/u);
      }
    }),
    tries(40),
  );
});

test("a line stops while the variable of a secret is not set", () => {
  const { install } = configOf(
    createMcpConfig({ name: "a", command: "b", env: { NEW_TOKEN: "s3cret" } }),
    "codex",
  );
  const bash = spawnSync(BASH, ["-c", `codex() { echo ran; }; ${install.bash}`], { env: {} });
  expect(bash.status).not.toBe(0);
  expect(bash.stdout.toString()).toBe("");
  expect(bash.stderr.toString()).toContain("NEW_TOKEN");
});
