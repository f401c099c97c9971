import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools } from "../../schemas/index.ts";
import { ALL_CLIENTS } from "../../schemas/mcp-config.ts";
import { hasProgram } from "../support/programs.ts";
import { commandLine } from "./support.ts";

/*
 * Each script in its own shell, where the machine has it. The shells say what they offer for a
 * line that ends where the cursor stands.
 */

/** What a shell offers. */
type Complete = (script: string, line: string, folder: string) => readonly string[];

function outputOf(words: readonly string[], folder: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8" },
    timeout: 10_000,
  });
  expect({ exitCode, error: stderr.toString() }).toEqual({ exitCode: 0, error: "" });
  return stdout.toString();
}

const lines = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

const shells: Readonly<Record<string, Complete>> = {
  /** Fills the variables that bash fills, and calls the function that bash calls. */
  bash(script, line, folder) {
    const program = `source ${script}
      COMP_LINE=$1
      read -r -a COMP_WORDS <<<"$1"
      [[ $1 == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      function_of() { local words=($(complete -p handtools)); printf %s "\${words[2]}"; }
      "$(function_of)"
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(outputOf(["bash", "--norc", "-c", program, "bash", line], folder));
  },
  fish(script, line, folder) {
    const program = `source ${script}; complete -C "$argv[1]"`;
    const output = outputOf(["fish", "--no-config", "-c", program, line], folder);
    return lines(output.replace(/\t.*$/gm, ""));
  },
  /** Its completion runs in the line editor alone, so a shell in a terminal says what is added. */
  zsh(script, line, folder) {
    const program = `zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; unsetopt prompt_cr prompt_sp; autoload -U compinit; compinit -u -D"
      zpty -w shell "source ${script}; source ${folder}/compadd"
      zpty -r shell output '*editing:*'
      zpty -n -w shell "$1"$'\t\x14'
      zpty -r shell output '*finished:*'
      print -r -- $output`;
    writeFileSync(join(folder, "compadd"), COMPADD);
    const output = Bun.stripANSI(outputOf(["zsh", "-f", "-c", program, "zsh", line], folder));
    return [...output.matchAll(/offered:(.*?):/g)].map(([, word = ""]) => word);
  },
};

/** Tells when lines are read, and each word that is added to the list, besides adding it. */
const COMPADD = `compadd() {
  local -a hits
  if [[ " $* " != *" -"[a-zA-Z]#[OAD]" "* ]]; then
    builtin compadd -A hits "$@"
    print -rn -- offered:\${^hits}:
  fi
  builtin compadd "$@"
}
setopt extended_glob
zle-line-init() { print -n editing: }
zle -N zle-line-init
finish() { print -n finished: }
zle -N finish
bindkey '^T' finish
`;

const commands = tools.map(({ command }) => command);

const cases: readonly [line: string, offered: readonly string[]][] = [
  ["handtools mail-", ["mail-filter"]],
  ["handtools mcp-u", ["mcp-uninstall"]],
  ["handtools schema ", commands],
  ["handtools mail-filter --imp", ["--importance"]],
  ["handtools mail-filter --importance ", ["always", "never"]],
  [
    "handtools mail-filter --from a@x --s",
    ["--search", "--skip-inbox", "--smaller-than-mb", "--star", "--subject"],
  ],
  ["handtools mail-filter rules", ["rules one.json", "rules.json"]],
  ["handtools mail-filter --star -o rules.", ["rules.json"]],
  ["handtools mcp-config --client c", ALL_CLIENTS.filter((client) => client.startsWith("c"))],
  ["handtools explain size-", ["size-twice"]],
  ["handtools signups ex", ["export"]],
  ["handtools signups export --format ", ["csv", "jsonl"]],
  ["handtools completion ", ["bash", "fish", "zsh"]],
  ["handtools help completion", ["completion"]],
  ["handtools openapi --base-url ", []],
];

describe.each(Object.entries(shells))("handtools completion %s", (shell, complete) => {
  test.if(hasProgram(shell)).each(cases.map(([line, offered]) => ({ line, offered })))(
    "offers for $line",
    async ({ line, offered }) => {
      const folder = mkdtempSync(join(tmpdir(), "handtools-completion-"));
      const script = join(folder, "script");
      writeFileSync(script, (await commandLine(["completion", shell])).out);
      for (const name of ["rules.json", "rules one.json", "other.json"]) {
        writeFileSync(join(folder, name), "");
      }
      const actual = complete(script, line, folder).map((word) => word.replaceAll("\\", ""));
      rmSync(folder, { recursive: true });
      expect([...new Set(actual)].sort()).toEqual([...offered].sort());
    },
  );
});

test("handtools completion has scripts for three shells", async () => {
  expect(await commandLine(["completion", "powershell"])).toMatchObject({
    exitCode: 2,
    error: 'error: there is no script for the shell "powershell"; there are bash, zsh, fish\n',
  });
  expect((await commandLine(["completion", "tcsh"])).error).toContain("there are bash, zsh, fish");
});
