import type { Word } from "./one-liners.ts";
import { parseUrl, type Server, valuesOf } from "./server.ts";

/** The names in the server's environment or headers that are likely to hold a secret. */
export const secretNames = (server: Server): string[] =>
  Object.entries(valuesOf(server))
    .filter(([name, value]) => holdsSecret(name, value))
    .map(([name]) => name);

/** The parameters in a URL's query that are likely to hold a secret; none in any other text. */
export function secretParameters(url: string): string[] {
  const parameters = Array.from(parseUrl(url)?.searchParams ?? []);
  const secret = parameters.filter(([name, value]) => holdsSecret(name, value));
  return [...new Set(secret.map(([name]) => name))];
}

/** The indexes of the arguments that are likely to hold a secret: 1 in `--api-key`, `abc`. */
export const secretArguments = (args: readonly string[]): number[] =>
  args.flatMap((argument, index) => (isSecret(argument, args[index - 1]) ? [index] : []));

function isSecret(argument: string, before = ""): boolean {
  // A secret should be given as a variable, `${…}`.
  if (argument.includes("${")) return false;
  const [, name = "", value = argument] = ASSIGNMENT.exec(argument) ?? [];
  const isFlagsValue = before.startsWith("-") && argument !== "" && !argument.startsWith("-");
  return (
    [argument, value].some((text) => looksSecret(text) || secretParameters(text).length > 0) ||
    (SECRET_FLAG.test(name) && !FILE.test(value)) ||
    (isFlagsValue && SECRET_FLAG.test(before) && !FILE.test(argument))
  );
}

/** `--token=abc`, `API_KEY=abc`, `X-Api-Key: abc` */
const ASSIGNMENT = /^([\w.-]+)(?:=|:\s+)(.+)$/s;

/**
 * A flag, variable or header that takes a secret itself. Unlike the names of an environment,
 * `--key-file`, `--auth-mode` and `--session` mostly take something else.
 */
const SECRET_FLAG =
  /(?:key|token|secret|(?<!by|com)pass(?:word|wd|phrase)?|pwd|bearer|jwt|credentials?|cookie|signature|dsn|webhook|\bpat|_pat)$/i;

/** The path of a file that holds a secret is not secret itself. */
const FILE = /^(?:[~.]{0,2}\/|[a-z]:\\)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|txt|env)$/i;

/** A word of a command line that ends in a value; a secret value is read from a shell variable. */
export const secretWord = (prefix: string, name: string, value: string, variable = name): Word =>
  holdsSecret(name, value) ? { prefix, variable } : prefix + value;

/** The variable that stands for a header's value: `MCP_HEADER_X_API_KEY` for `X-Api-Key`. */
export const headerVariable = (header: string): string =>
  `MCP_HEADER_${header.toUpperCase().replaceAll("-", "_")}`;

/** Whether a variable, header or query parameter is likely to hold a secret; an empty one does not. */
const holdsSecret = (name: string, value: string): boolean =>
  value !== "" && (SECRET_NAME.test(name) || looksSecret(value));

/** Whether a value is likely to be a secret whatever its name. */
const looksSecret = (value: string): boolean => CREDENTIALS.test(value) || TOKEN.test(value);

/** "author" is not "auth", but "authorization" is; "PATH" has no "pat", and "KEYBOARD" is no key. */
const SECRET_NAME =
  /key(?!board|word)|token|secret|(?<!by|com)pass(?:w|phrase|code|(?![a-z]))|pwd|credential|cookie|bearer|jwt|private|session|webhook|signature|auth(?!or(?!i))|(?<![a-z])(?:pat|dsn)(?![a-z])/i;

/** `Bearer …`, `Authorization: Basic …`, `scheme://user:password@host`. */
const CREDENTIALS = /(?:^|:\s*)(?:bearer|basic)\s+\S|:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i;

/** How tokens of OpenAI, Stripe, GitHub, GitLab and Slack begin, and how a JWT begins. */
const TOKEN = /^(?:sk-[\w-]{6}|[rs]k_(?:live|test)_|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|eyJ)/;
