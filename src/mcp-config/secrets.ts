import { unionPattern } from "./json-values.ts";
import { envOrHeaders, type McpServer, parseUrl } from "./mcp-server.ts";
import { withoutPlaceholders } from "./placeholders.ts";
import type { CommandWord } from "./shell-commands.ts";
import { removeReferences, variableForKey } from "./variable-references.ts";

export interface Secrets {
  /** Names of variables or headers for secrets, including unset ones. */
  readonly names: ReadonlySet<string>;
  /** Names whose values are secrets, not placeholders. */
  readonly secretNames: readonly string[];
  /** Indexes of arguments: 1 in `--api-key`, `abc`. */
  readonly args: readonly number[];
  /** Names of query parameters in the URL. */
  readonly parameters: readonly string[];
  /** Whether the URL's path or fragment seems to hold a secret. */
  readonly inPath: boolean;
  /** Whether shell commands contain the values. Default: they read them from shell variables. */
  readonly inCommands?: boolean;
}

export function findSecrets(server: McpServer): Secrets {
  const values = Object.entries(envOrHeaders(server)).filter(([name, value]) =>
    isSecretOrPlaceholder(name, value),
  );
  return {
    names: new Set(values.map(([name]) => name)),
    secretNames: values.flatMap(([name, value]) => (holdsSecret(name, value) ? [name] : [])),
    args: server.transport === "stdio" ? findSecretArguments(server.args) : [],
    parameters: server.transport !== "stdio" ? findSecretParameters(server.url) : [],
    inPath: server.transport !== "stdio" && hasSecretPath(server.url),
  };
}

/**
 * Minimum length of a secret. Shorter values of client settings are counts or choices, such as
 * `lastTotalInputTokens: 3` and `cli_auth_credentials_store: "file"`.
 */
export const MIN_SECRET_LENGTH = 6;

/** The parts of a URL: scheme (or a variable for it), user, host, path, query and fragment. */
export const URL_PARTS = new RegExp(
  [
    /^([^/?#]*:\/\/|(?:\$|%24)?(?:\{|%7B)[\w:]+(?:\}|%7D)|\$\w+)/,
    /(?:([^/?#@]*)@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/,
  ]
    .map(({ source }) => source)
    .join(""),
  "s",
);

/** Finds query parameters that probably hold a secret. */
function findSecretParameters(url: string): string[] {
  if (!url.includes("?") || !parseUrl(url)) return [];
  // Unlike `parseUrl`, this keeps variables in the query.
  const parameters = Array.from(new URL(`query:${url.slice(url.indexOf("?"))}`).searchParams);
  const secret = parameters.filter(([name, value]) => holdsSecret(name, value));
  return [...new Set(secret.map(([name]) => name))];
}

function hasSecretPath(url: string): boolean {
  const [, , , , path = "", , fragment = ""] = URL_PARTS.exec(url) ?? [];
  return `${path}${fragment}`.split(/[/#=&]/).some(looksRandom);
}

/** Whether a part of a path or fragment looks machine-generated. */
export const looksRandom = (part: string): boolean =>
  KNOWN_TOKEN.test(part) ||
  /^[0-9a-f]{32,}$/i.test(part) ||
  (/^[\w-]{24,}$/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part));

export const findSecretArguments = (args: readonly string[]): number[] =>
  args.flatMap((argument, index) => (isSecretArgument(argument, args[index - 1]) ? [index] : []));

function isSecretArgument(argument: string, before = ""): boolean {
  // A reference contains no secret itself.
  if (argument.includes("${")) return false;
  const [, name = "", value = argument] = ASSIGNMENT.exec(argument) ?? [];
  const rest = withoutPlaceholders(value, name);
  if (rest !== value) return looksSecret(rest);
  const isFlagsValue = before.startsWith("-") && argument !== "" && !argument.startsWith("-");
  return (
    [argument, value].some((text) => looksSecret(text) || findSecretParameters(text).length > 0) ||
    (SECRET_FLAG.test(name) && !FILE_PATH.test(value)) ||
    (isFlagsValue && expectsSecret(before, argument) && !FILE_PATH.test(argument))
  );
}

/** Whether a secret follows the flag. `-k` usually means a key, but not in `curl -k URL`. */
const expectsSecret = (flag: string, value: string): boolean =>
  flag === "-k"
    ? value.length >= MIN_SECRET_LENGTH && !value.includes("://")
    : SECRET_FLAG.test(flag);

/** `--token=abc`, `API_KEY=abc`, `X-Api-Key: abc` */
export const ASSIGNMENT = /^([\w.-]+)(?:=|:\s+)(.+)$/s;

/**
 * A flag, variable or header whose value is a secret. Unlike in environment variables,
 * `--key-file`, `--auth-mode` and `--session` usually hold other values.
 */
const SECRET_FLAG = unionPattern(
  "i",
  /(?<!public[_-]?|mon)key$/,
  /(?:token|secret|(?<!by|com)pass(?:word|wd|phrase)?|pwd|bearer|jwt|credentials?|cookie)$/,
  /(?:signature|dsn|webhook|\bpat|_pat|^-k)$/,
);

/** A file path is not secret, even if the file is. */
const FILE_PATH = /^(?:[~.]{0,2}\/|[a-z]:\\)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|txt|env)$/i;

/**
 * Returns arguments that pass values to the server: `--env KEY=VALUE`, or the same for headers.
 *
 * @param option ends in `=` if the option and its value are one word.
 */
export const toValueArguments = (
  option: string,
  separator: string,
  server: McpServer,
  { names, inCommands }: Secrets,
): CommandWord[] =>
  Object.entries(envOrHeaders(server)).flatMap(([key, value]) => {
    const isOneWord = option.endsWith("=");
    const prefix = (isOneWord ? option : "") + key + separator;
    const word =
      names.has(key) && !inCommands
        ? { prefix, variable: variableForKey(server, key) }
        : prefix + value;
    return isOneWord ? [word] : [option, word];
  });

/**
 * Whether a variable, header or query parameter probably holds a secret. References, placeholders
 * and empty values do not count.
 */
export function holdsSecret(name: string, value: string): boolean {
  const text = removeReferences(value);
  const rest = withoutPlaceholders(text, name);
  return rest === text ? isSecretOrPlaceholder(name, value) : looksSecret(rest);
}

/** Whether the value is probably a secret, or a placeholder for one. */
function isSecretOrPlaceholder(name: string, value: string): boolean {
  const text = removeReferences(value);
  if (text === value) return text !== "" && (isSecretName(name, text) || looksSecret(text));
  return looksSecret(text) || (isSecretName(name, text) && !/^(?:[A-Za-z][\w.+-]* )?$/.test(text));
}

const isSecretName = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) &&
  !NOT_SECRET_NAME.test(name) &&
  !PATH_IN_COMMON_FOLDER.test(value) &&
  !/^(?:true|false|yes|no|on|off)$/i.test(value);

/** Matches "authorization", not "author", nor "PATH", "KEYBOARD" and "MONKEY". */
const SECRET_NAME = unionPattern(
  "i",
  /(?<!mon|tur|hot|public[_-]?)key(?!board|word|map)|token(?!i[sz])/,
  /(?<!by|com)pass(?:w|phrase|code|(?![a-z]))|pwd|(?<!un)auth(?!or(?!i))/,
  /secret|credential|cookie|bearer|jwt|private|session|webhook|signature/,
  /(?<![a-z])(?:pat|dsn)(?![a-z])/,
);

/** `GITHUB_OAUTH_CALLBACK_PORT`, `REDIS_ENTRAID_AUTH_FLOW`, `SECRET_ARN`, `MAX_TOKENS`, `NO_AUTH` */
const NOT_SECRET_NAME = unionPattern(
  "i",
  /providerType$/,
  /_(?:PORT|HOST|FLOW|MODE|TYPE|METHOD|ARN|REGION|TIMEOUT|TTL|ENABLED|LIMIT)$/,
  /^(?:MAX|DISABLE|ENABLE|NO|REQUIRE|SKIP|USE)_/,
);

/** A path in a common folder. Other strings that start with a slash may be base64 keys. */
const PATH_IN_COMMON_FOLDER = unionPattern(
  "i",
  /^(?:~|\.{1,2})\/|^[a-z]:\\/,
  /^\/(?:app|data|etc|home|Library|mnt|opt|private|root|run|secrets|srv|tmp)\//,
  /^\/(?:Users|usr|var|Volumes|workspaces?)\//,
);

const looksSecret = (value: string): boolean => CREDENTIALS.test(value) || KNOWN_TOKEN.test(value);

/** `Bearer …`, also after a quote or a colon, `Basic …`, `scheme://user:password@host`. */
const CREDENTIALS = /(?:^|:\s*|["'])(?:bearer|basic)\s+[\w+/=.~-]|:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i;

/**
 * Prefixes of tokens from OpenAI, Stripe, GitHub, GitLab, Slack, Google, AWS, Hugging Face and npm,
 * and of JWTs.
 */
const KNOWN_TOKEN = unionPattern(
  "",
  /^(?:sk-[\w-]{6}|[rs]k_(?:live|test)_|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|eyJ)/,
  /^(?:AIza[\w-]{10}|AKIA[A-Z\d]{8}|hf_[A-Za-z\d]{8}|npm_[A-Za-z\d]{8})/,
);
