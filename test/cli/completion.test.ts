import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools } from "../../schemas/index.ts";
import { ALL_CLIENTS } from "../../schemas/mcp-config.ts";
import { hasProgram } from "../support/programs.ts";
import { commandLine } from "./support.ts";

/*
 * Each script in its own shell, where the machine has it, which starts once for all lines. The
 * shells say what they offer for a line that ends where the cursor stands.
 */

/** Gives the offers of a shell for each line. */
type Complete = (script: string, lines: readonly string[], folder: string) => readonly string[][];

function outputOf(words: readonly string[], folder: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync([...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TERM: "dumb", LC_ALL: "C.UTF-8" },
    timeout: 10_000,
  });
  expect({ exitCode, error: stderr.toString() }).toEqual({ exitCode: 0, error: "" });
  return stdout.toString();
}

/** The offers for each line, one an output line, with a mark behind the last one of each. */
const offersIn = (output: string): string[][] =>
  output
    .split(/^=end=\r?\n/m)
    .slice(0, -1)
    .map((part) => part.split(/\r?\n/).flatMap((line) => (line.trim() ? [line.trim()] : [])));

const shells: Readonly<Record<string, Complete>> = {
  /** Fills the variables that bash fills, and calls the function that bash calls. */
  bash(script, lines, folder) {
    const program = `source ${script}
      function_of() { local words=($(complete -p handtools)); printf %s "\${words[2]}"; }
      for COMP_LINE; do
        COMPREPLY=()
        read -r -a COMP_WORDS <<<"$COMP_LINE"
        [[ $COMP_LINE == *" " ]] && COMP_WORDS+=("")
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
        "$(function_of)"
        printf '%s\\n' "\${COMPREPLY[@]}" =end=
      done`;
    return offersIn(outputOf(["bash", "--norc", "-c", program, "bash", ...lines], folder));
  },
  fish(script, lines, folder) {
    const program = `source ${script}; for line in $argv; complete -C "$line"; echo =end=; end`;
    const output = outputOf(["fish", "--no-config", "-c", program, ...lines], folder);
    return offersIn(output.replace(/\t.*$/gm, ""));
  },
  /** Its completion runs in the line editor alone, so a shell in a terminal says what is added. */
  zsh(script, lines, folder) {
    const program = `zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; unsetopt prompt_cr prompt_sp; autoload -U compinit; compinit -u -D"
      zpty -w shell "source ${script}; source ${folder}/compadd"
      zpty -r shell output '*editing:*'
      for line; do
        zpty -n -w shell "$line"$'\t\x14'
        zpty -r shell output '*finished:*'
        print -r -- $output
        print -r -- "=end="
      done`;
    writeFileSync(join(folder, "compadd"), COMPADD);
    const output = outputOf(["zsh", "-f", "-c", program, "zsh", ...lines], folder);
    return Bun.stripANSI(output)
      .split(/^=end=\n/m)
      .slice(0, -1)
      .map((part) => [...part.matchAll(/offered:(.*?):/g)].map(([, word = ""]) => word));
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
finish() { print -n finished:; BUFFER= }
zle -N finish
bindkey '^T' finish
`;

const commands = tools.map(({ command }) => command);

const cases: readonly [line: string, offered: readonly string[]][] = [
  ["handtools mail-", ["mail-filter", "mail-try"]],
  ["handtools mcp-u", ["mcp-uninstall"]],
  ["handtools schema ", [...commands, "mail-tests", "price-book"].sort()],
  ["handtools example ", commands],
  ["handtools mail-filter --imp", ["--importance"]],
  ["handtools mail-filter --importance ", ["always", "never"]],
  [
    "handtools mail-filter --from a@x --s",
    ["--search", "--skip-inbox", "--smaller-than-mb", "--star", "--strict", "--subject"],
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
  let offers: readonly string[][] = [];
  beforeAll(async () => {
    if (!hasProgram(shell)) return;
    const folder = mkdtempSync(join(tmpdir(), "handtools-completion-"));
    const script = join(folder, "script");
    writeFileSync(script, (await commandLine(["completion", shell])).out);
    for (const name of ["rules.json", "rules one.json", "other.json"]) {
      writeFileSync(join(folder, name), "");
    }
    const lines = cases.map(([line]) => line);
    offers = complete(script, lines, folder);
    rmSync(folder, { recursive: true });
  });

  test
    .if(hasProgram(shell))
    .each(cases.map(([line, offered], index) => ({ line, offered, index })))(
    "offers for $line",
    ({ offered, index }) => {
      const actual = offers[index]?.map((word) => word.replaceAll("\\", ""));
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
