import { singleQuote } from "../../src/text.ts";
import { allCommands, type CommandNode } from "./command-tree.ts";

/** A completion script for bash 3.2 and later, which needs nothing but bash. */
export function bashCompletion(program: CommandNode): string {
  const commands = allCommands(program);
  const parents = commands.filter(({ path, commands }) => path.length === 1 && commands.length > 0);
  return `# Completions of handtools for bash. In ~/.bashrc: eval "$(handtools completion bash)"

_handtools() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= words= files=
  [ "$COMP_CWORD" -gt 1 ] && command=\${COMP_WORDS[1]}
  case $command in
    ${parents.map(({ path }) => path.join(" ")).join(" | ")})
      [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}"
      ;;
  esac
  case "$command $prev" in
${valueCases(commands).join("\n")}
    *)
      case $command in
${commands.map(wordCase).join("\n")}
      esac
      ;;
  esac
  if [ -n "$files" ] && [[ $cur != -* || -z $words ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}

complete -F _handtools handtools
`;
}

/** The values of the flags; flags with the same values share a case. */
function valueCases(commands: readonly CommandNode[]): readonly string[] {
  const patterns = new Map<string, string[]>();
  for (const { path, options } of commands) {
    for (const { names, value } of options) {
      if (!value) continue;
      const does = value.isFile ? "files=1" : `words=${singleQuote(value.choices.join(" "))}`;
      const flags = names.map((name) => singleQuote([...path, name].join(" ")));
      patterns.set(does, [...(patterns.get(does) ?? []), ...flags]);
    }
  }
  return Array.from(patterns, ([does, flags]) => `    ${flags.join(" | ")}) ${does} ;;`);
}

/** The flags of a command once a dash is typed, else its own words. */
function wordCase({ path, options, arguments: given, commands }: CommandNode): string {
  const flags = options.flatMap(({ names }) => names);
  const words = [
    ...commands.map((command) => command.path.at(-1)),
    ...given.flatMap(({ choices }) => choices),
  ];
  const files = given.some(({ isFile }) => isFile) ? "; files=1" : "";
  return `        ${singleQuote(path.join(" "))})
          if [[ $cur == -* ]]; then words=${singleQuote(flags.join(" "))}; else words=${singleQuote(words.join(" "))}${files}; fi
          ;;`;
}
