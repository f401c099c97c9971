/** The end of a command's help: command lines that run as they stand. */
export const exampleHelp = (commandLines: readonly string[]): string =>
  `\nExamples:\n${commandLines.map((line) => `  $ ${line}`).join("\n")}`;
