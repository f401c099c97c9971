import { Argument, type Command } from "commander";
import type { Contract } from "../../schemas/index.ts";
import { UsageError } from "../errors.ts";
import { explainedCodes } from "../explain-command.ts";
import type { Io } from "../io.ts";
import { exampleHelp } from "../options.ts";
import { bashCompletion } from "./bash.ts";
import { commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const SHELLS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

/** The file or command by which a shell reads its script. */
const SETUP = `
To set it up:
  ~/.bashrc                   eval "$(handtools completion bash)"
  ~/.zshrc, after compinit    source <(handtools completion zsh)
  ~/.config/fish/config.fish  handtools completion fish | source`;

/**
 * `handtools completion <shell>`: a script that lets the shell complete commands, flags and values.
 *
 * @param program all commands with their arguments and flags, of which the script is made.
 */
export function defineCompletionCommand(
  command: Command,
  program: Command,
  contracts: readonly Contract[],
  io: Io,
): void {
  const shells = [...SHELLS.keys()];
  const shell = new Argument("<shell>", "the shell");
  shell.argChoices = shells;
  command
    .description("Print a script that lets a shell complete commands, flags and their values.")
    .addArgument(shell)
    .addHelpText("after", SETUP)
    .addHelpText("after", exampleHelp(shells.map((name) => `handtools completion ${name}`)))
    .action(async (wanted: string) => {
      const script = SHELLS.get(wanted);
      if (!script) {
        throw new UsageError([
          `there is no script for the shell ${JSON.stringify(wanted)}; there are ${shells.join(", ")}`,
        ]);
      }
      const tree = commandTree(program, {
        code: [...new Set(explainedCodes(contracts).map(({ code }) => code))],
        command: program.commands.map((known) => known.name()),
      });
      await io.writeOut(script(tree));
    });
}
