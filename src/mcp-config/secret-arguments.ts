import { looksSecret, secretParameters } from "./secrets.ts";

/** `--token=abc`, `API_KEY=abc`, `X-Api-Key: abc` */
const ASSIGNMENT = /^([\w.-]+)(?:=|:\s+)(.+)$/s;

/**
 * A flag, variable or header that takes a secret itself. Unlike the names of an environment,
 * `--key-file`, `--auth-mode` and `--session` mostly take something else.
 */
const SECRET_FLAG =
  /(?:key|token|secret|(?<!by|com)pass(?:word|wd|phrase)?|pwd|bearer|jwt|credentials?|cookie|signature|dsn|webhook|\bpat|_pat)$/i;

/** A path to a secret is none. */
const FILE = /^(?:[~.]{0,2}\/|[a-z]:\\)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|txt|env)$/i;

/** The indexes of the arguments that are likely to hold a secret: 1 in `--api-key`, `abc`. */
export const secretArguments = (args: readonly string[]): number[] =>
  args.flatMap((argument, index) => (isSecret(argument, args[index - 1]) ? [index] : []));

function isSecret(argument: string, before = ""): boolean {
  // `${…}` is a variable, which is how a secret should stand there.
  if (argument.includes("${")) return false;
  const [, name = "", value = argument] = ASSIGNMENT.exec(argument) ?? [];
  const isFlagsValue = before.startsWith("-") && argument !== "" && !argument.startsWith("-");
  return (
    [argument, value].some((text) => looksSecret(text) || secretParameters(text).length > 0) ||
    (SECRET_FLAG.test(name) && !FILE.test(value)) ||
    (isFlagsValue && SECRET_FLAG.test(before) && !FILE.test(argument))
  );
}
