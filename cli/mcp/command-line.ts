/** The usage of the commands that take a server's command line after `--`. */
export const SERVER_USAGE = "[options] [file] [-- <command> [args...]]";

const FIRST = "--command";
const OTHERS = "--args";

/**
 * The arguments with a server's command line, which follows `--`, as flags:
 * `--command=npx --args=-y` for `-- npx -y`.
 */
export function serverCommandAsFlags(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((word, index) => word === "--" && argv[index - 1] !== OTHERS);
  const [program, ...words] = end === -1 ? [] : argv.slice(end + 1);
  if (program === undefined) return argv;
  return [
    ...argv.slice(0, end),
    `${FIRST}=${program}`,
    ...words.map((word) => `${OTHERS}=${word}`),
  ];
}
