import { allCommands, type CommandNode, type OptionNode } from "./command-tree.ts";

export const fishCompletion = (program: CommandNode): string =>
  `# Completions of handtools for fish. In ~/.config/fish/config.fish: handtools completion fish | source

function __handtools_at --description 'Whether the first words name this command'
    set -l given (commandline -opc)[2..]
    set -l words (count $argv)
    if test $words -eq 0
        test (count $given) -eq 0
    else
        test (count $given) -ge $words; and test "$given[1..$words]" = "$argv"
    end
end

function __handtools_just --description 'Whether these are the only words'
    set -l given (commandline -opc)[2..]
    test "$given" = "$argv"
end

complete -c handtools -f
${allCommands(program).flatMap(lines).join("\n")}
`;

function lines({ path, options, arguments: given, commands }: CommandNode): readonly string[] {
  const at = `complete -c handtools -n ${quote(["__handtools_at", ...path].join(" "))}`;
  const just = `complete -c handtools -n ${quote(["__handtools_just", ...path].join(" "))}`;
  return [
    ...commands.map((command) => `${just} -a ${command.path.at(-1)} -d ${quote(command.summary)}`),
    ...given.flatMap(({ choices, isFile }) => [
      ...(isFile ? [`${at} -F`] : []),
      ...(choices.length > 0 ? [`${just} -a ${quote(choices.join(" "))}`] : []),
    ]),
    ...options.map((option) => `${at} ${optionWords(option)}`),
  ];
}

function optionWords({ names, summary, value }: OptionNode): string {
  const flags = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const behind = !value
    ? []
    : value.isFile
      ? ["-r -F"]
      : [value.choices.length > 0 ? `-x -a ${quote(value.choices.join(" "))}` : "-x"];
  return [...flags, ...behind, `-d ${quote(summary)}`].join(" ");
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&")}'`;
