import { singleQuote } from "../../src/text.ts";
import { allCommands, type CommandNode, type OptionNode } from "./command-tree.ts";

/** A completion script for zsh, to be sourced after compinit or put into a folder of fpath. */
export const zshCompletion = (program: CommandNode): string =>
  `#compdef handtools
# Completions of handtools for zsh. In ~/.zshrc, after compinit: source <(handtools completion zsh)

${allCommands(program).map(completer).join("\n")}
if [ "$funcstack[1]" = "_handtools" ]; then
  _handtools "$@"
else
  compdef _handtools handtools
fi
`;

const functionName = (path: readonly string[]): string => ["_handtools", ...path].join("_");

/** The function that completes one command; that of a command with others hands over to theirs. */
function completer({ path, options, arguments: given, commands }: CommandNode): string {
  const specs = options.map(optionSpec);
  if (commands.length > 0) {
    const described = commands.map(
      (command) => `    ${singleQuote(`${command.path.at(-1)}:${command.summary}`)}`,
    );
    return `${functionName(path)}() {
  local curcontext="$curcontext" state line
  local -a commands=(
${described.join("\n")}
  )
  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}
  case $state in
    command) _describe -t commands command commands ;;
    rest) (( $+functions[${functionName(path)}_$words[1]] )) && ${functionName(path)}_$words[1] ;;
  esac
}
`;
  }
  const places = given.map(({ name, choices, isFile, variadic }, index) =>
    singleQuote(`${variadic ? "*" : index + 1}:${name}:${action(choices, isFile)}`),
  );
  return `${functionName(path)}() {
  _arguments ${[...specs, ...places].join(" \\\n    ")}
}
`;
}

function optionSpec({ names, summary, value, repeatable }: OptionNode): string {
  const text = `[${summary.replace(/[[\]:\\]/g, "\\$&")}]`;
  const behind = value ? `:${value.name}:${action(value.choices, value.isFile)}` : "";
  const once = repeatable ? "*" : names.length > 1 ? `(${names.join(" ")})` : "";
  return names.map((name) => singleQuote(`${once}${name}${text}${behind}`)).join(" ");
}

/** The words as an action of zsh, in which a space means none. */
const action = (choices: readonly string[], isFile: boolean): string =>
  isFile ? "_files" : choices.length > 0 ? `(${choices.join(" ")})` : " ";
