import { withOwnReferences, withoutReferences } from "./references.ts";
import { parseUrl, type Server, valuesOf } from "./server.ts";
import { isObject } from "./values.ts";

/** The parts of a server that are likely to hold a secret. */
export interface Secrets {
  /** Names in its environment or headers. */
  readonly names: ReadonlySet<string>;
  /** Indexes of its arguments: 1 in `--api-key`, `abc`. */
  readonly args: readonly number[];
  /** Names of parameters in its URL's query. */
  readonly parameters: readonly string[];
  /** Whether the path or the fragment of its URL seems to hold one. */
  readonly inPath: boolean;
}

export function findSecrets(server: Server): Secrets {
  const values = Object.entries(valuesOf(server)).filter(([name, value]) =>
    holdsSecret(name, value),
  );
  return {
    names: new Set(values.map(([name]) => name)),
    args: server.transport === "stdio" ? secretArguments(server.args) : [],
    parameters: server.transport === "http" ? secretParameters(server.url) : [],
    inPath: server.transport === "http" && secretPathParts(server.url).length > 0,
  };
}

/**
 * The texts anywhere in a client's file that are likely to be secret, to be kept out of what is
 * shown.
 *
 * @param key the key under which the value stands.
 * @param outer the key of the object around it.
 */
export function secretTexts(value: unknown, key = "", outer = ""): string[] {
  if (NAMES_VARIABLES.has(key)) return [];
  if (Array.isArray(value)) {
    const words = value.map((item) => (typeof item === "string" ? item : ""));
    return [
      ...secretArguments(words.map(withOwnReferences)).flatMap((index) => words[index] ?? []),
      ...value.flatMap((item) => secretTexts(item, key, outer)),
    ];
  }
  if (isObject(value))
    return Object.entries(value).flatMap(([name, item]) => secretTexts(item, name, key));
  if (!["string", "number", "bigint"].includes(typeof value)) return [];
  const text = String(value);
  const isLong = text.length >= SHORTEST_SECRET || HOLDS_ANY_SECRET.has(outer);
  return [
    ...(isLong && holdsSecret(key, withOwnReferences(text)) ? [text] : []),
    ...secretUrlParts(text),
  ];
}

/**
 * A shorter value of a client's own setting is a count or a choice, as in `lastTotalInputTokens: 3`
 * and `cli_auth_credentials_store: "file"`, and may be anywhere in a file.
 */
const SHORTEST_SECRET = 6;

/** The fields whose values are secrets of any length. */
const HOLDS_ANY_SECRET: ReadonlySet<string> = new Set([
  ...["env", "environment", "headers", "http_headers"],
]);

/** The fields of Codex that hold the names of variables, not their values. */
const NAMES_VARIABLES: ReadonlySet<string> = new Set(["bearer_token_env_var", "env_http_headers"]);

/** The secret parts of a URL as they are written in it; none of any other text. */
function secretUrlParts(text: string): string[] {
  const [, user = "", query = ""] = URL_PARTS.exec(text) ?? [];
  const parameters = query.split("&").flatMap((parameter) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    return holdsSecret(name, withOwnReferences(value)) ? [value] : [];
  });
  const path = text.includes("://") ? secretPathParts(text) : [];
  return [...(user.includes(":") ? [user] : []), ...parameters, ...path];
}

const URL_PARTS = /^[^/?#]*:\/\/(?:([^/?#@]*)@)?[^?#]*\??([^#]*)/;

/** The parameters in a URL's query that are likely to hold a secret; none in any other text. */
function secretParameters(url: string): string[] {
  if (!url.includes("?")) return [];
  const parameters = Array.from(parseUrl(url)?.searchParams ?? []);
  const secret = parameters.filter(([name, value]) => holdsSecret(name, value));
  return [...new Set(secret.map(([name]) => name))];
}

/** Long parts of a path or a fragment that no person would have chosen. */
function secretPathParts(url: string): string[] {
  const rest = url.replace(/^[^/?#]*\/\/[^/?#]*/, "").replace(/\?[^#]*/, "");
  return rest
    .split(/[/#=&]/)
    .filter(
      (part) =>
        TOKEN.test(part) ||
        /^[0-9a-f]{32,}$/i.test(part) ||
        (/^[\w-]{24,}$/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part)),
    );
}

const secretArguments = (args: readonly string[]): number[] =>
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
  /(?:key|token|secret|(?<!by|com)pass(?:word|wd|phrase)?|pwd|bearer|jwt|credentials?|cookie|signature|dsn|webhook|\bpat|_pat|^-k)$/i;

/** The path of a file that holds a secret is not secret itself. */
const FILE = /^(?:[~.]{0,2}\/|[a-z]:\\)|\.(?:pem|key|crt|p12|pfx|json|ya?ml|toml|txt|env)$/i;

/** The variable for a header's value: `MCP_HEADER_X_API_KEY` for `X-Api-Key`. */
export const headerVariable = (header: string): string =>
  `MCP_HEADER_${header.toUpperCase().replaceAll("-", "_")}`;

/**
 * Whether a variable, header or query parameter is likely to hold a secret. References do not
 * count, and an empty value is not a secret.
 */
function holdsSecret(name: string, value: string): boolean {
  const text = withoutReferences(value);
  if (text === value) return text !== "" && (isSecretName(name, text) || looksSecret(text));
  return looksSecret(text) || (isSecretName(name, text) && !/^(?:[A-Za-z]+ )?$/.test(text));
}

const isSecretName = (name: string, value: string): boolean =>
  SECRET_NAME.test(name) && !OTHER_NAME.test(name) && !PATH.test(value);

/** "author" is not "auth", but "authorization" is; "PATH" has no "pat", and "KEYBOARD" is not a key. */
const SECRET_NAME =
  /key(?!board|word)|token|secret|(?<!by|com)pass(?:w|phrase|code|(?![a-z]))|pwd|credential|cookie|bearer|jwt|private|session|webhook|signature|auth(?!or(?!i))|(?<![a-z])(?:pat|dsn)(?![a-z])/i;

/** `GITHUB_OAUTH_CALLBACK_PORT`, `REDIS_ENTRAID_AUTH_FLOW`, `SECRET_ARN`, `MAX_TOKENS` */
const OTHER_NAME =
  /_(?:PORT|HOST|FLOW|MODE|TYPE|METHOD|ARN|REGION|TIMEOUT|TTL|ENABLED|LIMIT)$|^MAX_/i;

/** A path in a usual folder. Another text that starts with a slash may be a key in base64. */
const PATH =
  /^(?:~|\.{1,2})\/|^[a-z]:\\|^\/(?:app|data|etc|home|Library|mnt|opt|private|root|run|secrets|srv|tmp|Users|usr|var|Volumes|workspaces?)\//i;

const looksSecret = (value: string): boolean => CREDENTIALS.test(value) || TOKEN.test(value);

/** `Bearer …`, also after a quote or a colon, `Basic …`, `scheme://user:password@host`. */
const CREDENTIALS = /(?:^|:\s*|["'])(?:bearer|basic)\s+[\w+/=.~-]|:\/\/[^\s/?#@:]*:[^\s/?#@]+@/i;

/**
 * How tokens of OpenAI, Stripe, GitHub, GitLab, Slack, Google, AWS, Hugging Face and npm begin,
 * and how a JWT begins.
 */
const TOKEN =
  /^(?:sk-[\w-]{6}|[rs]k_(?:live|test)_|gh[oprsu]_|github_pat_|glpat-|xox[a-z]-|eyJ|AIza[\w-]{10}|AKIA[A-Z\d]{8}|hf_[A-Za-z\d]{8}|npm_[A-Za-z\d]{8})/;
