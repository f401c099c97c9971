import { unionPattern } from "./json-values.ts";
import { type CommandLine, type McpServer, mapStrings, type ServerString } from "./mcp-server.ts";

/**
 * `${NAME}` in an argument, a variable, a header or a URL refers to an environment variable of the
 * client, but not inside `${OTHER:-…}`. URLs cannot contain braces, so they may also spell it
 * `%24%7BNAME%7D` or `$%7BNAME%7D`.
 */
const VARIABLE_REFERENCE = /(?<!\$\{\w+:[^{}]*)\$\{([A-Za-z_]\w*)\}/g;
const URL_REFERENCE = /(?:\$|%24)(?:\{|%7B)([A-Za-z_]\w*)(?:\}|%7D)/gi;

/** The syntaxes that clients use for references. Group 1 is the variable's name. */
export const REFERENCE_SYNTAXES = {
  "${NAME}": /\$\{([A-Za-z_]\w*)\}/g,
  "${env:NAME}": /\$\{env:([A-Za-z_]\w*)\}/g,
  "{env:NAME}": /\{env:([A-Za-z_]\w*)\}/g,
  $NAME: /\$([A-Za-z_]\w*)/g,
  "%NAME%": /%([A-Za-z_]\w*)%/g,
} as const;

/** Parts that look like a reference in any client's syntax. */
export const REFERENCE_PART = unionPattern(
  "g",
  /\$\{(?:[A-Za-z_]\w*(?::[^}]*)?|\/)\}/,
  // `$name` is skipped: queries and schemas use it.
  /(?<![\w$\\])\$(?:env:\w+|[A-Z_][A-Z\d_]*(?![\w$]))/,
  /(?<!\$)\{(?:env|file):[^}]+\}/,
);

export type ReferenceSyntax = keyof typeof REFERENCE_SYNTAXES;

/** Variables of VS Code and its forks, besides `workspace*`, `file*` and `relativeFile*`. */
const EDITOR_VARIABLES: ReadonlySet<string> = new Set(
  "userHome cwd execPath execInstallFolder pathSeparator lineNumber columnNumber selectedText defaultBuildTask".split(
    " ",
  ),
);

export const isEditorVariable = (name: string): boolean =>
  /^(?:workspace|file|relativeFile)\w*$/.test(name) || EDITOR_VARIABLES.has(name);

export interface StringWithReferences extends ServerString {
  readonly names: readonly string[];
}

/** Finds the strings that contain references. Most servers have none. */
export function findReferences(
  server: McpServer,
  strings: readonly ServerString[],
): StringWithReferences[] {
  const candidates = strings.filter(({ value }) => /(?:\$|%24)(?:\{|%7B)/i.test(value));
  return candidates.flatMap((text) => {
    const found = mayHaveReferences(text, server)
      ? text.value.matchAll(referencePattern(text))
      : [];
    const names = Array.from(found, ([, name = ""]) => name).filter(isReferenceName);
    return names.length > 0 ? [{ ...text, names }] : [];
  });
}

const referencePattern = ({ path }: Pick<ServerString, "path">): RegExp =>
  path[0] === "url" ? URL_REFERENCE : VARIABLE_REFERENCE;

/** Whether it is an environment variable, not one that a client defines itself. */
export const isReferenceName = (name: string): boolean =>
  !isEditorVariable(name) && !/^CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)$/.test(name);

/** Clients do not replace references in a command. In a shell script, the shell replaces them. */
const mayHaveReferences = ({ path }: ServerString, server: McpServer): boolean =>
  path[0] !== "command" && !(path[0] === "args" && startsShell(server));

export function startsShell(server: McpServer | CommandLine): boolean {
  if (!("command" in server)) return false;
  const program = /[^/\\]*$/.exec(server.command)?.[0] ?? "";
  const isShell = /^(?:ba|z|da|k|mk|a|fi|ya)?sh(?:\.exe)?$|^(?:pwsh|powershell)(?:\.exe)?$/i;
  return isShell.test(program) && server.args.some((arg) => /^-\w*c/i.test(arg));
}

/** Rewrites references in these strings. `write` returns undefined to keep a reference. */
export function rewriteReferences(
  server: McpServer,
  strings: readonly StringWithReferences[],
  write: (name: string) => string | undefined,
): McpServer {
  if (strings.length === 0) return server;
  const values = new Map(strings.map(({ value, path }) => [path.join("\0"), value]));
  return mapStrings(server, (value, path) =>
    values.has(path.join("\0")) ? rewriteText(value, referencePattern({ path }), write) : value,
  );
}

const rewriteText = (
  text: string,
  pattern: RegExp,
  write: (name: string) => string | undefined,
): string =>
  text.replace(pattern, (match, name: string) =>
    isReferenceName(name) ? (write(name) ?? match) : match,
  );

export const removeReferences = (text: string): string =>
  text.includes("${") ? rewriteText(text, VARIABLE_REFERENCE, () => "") : text;

/** Replaces each reference with the placeholder `<NAME>`. */
export const replaceByPlaceholders = (text: string): string =>
  rewriteText(text, VARIABLE_REFERENCE, (name) => `<${name}>`);

/** Rewrites any client's references as `${NAME}`, including encoded ones in a URL. */
export const toCanonicalReferences = (text: string): string =>
  toCanonicalEnv(text).replace(URL_REFERENCE, "${$1}");

/** Rewrites `${env:NAME}` and `{env:NAME}` as `${NAME}`. */
export const toCanonicalEnv = (text: string): string =>
  text.replace(/\$?\{env:([A-Za-z_]\w*)\}/g, "${$1}");

/** Percent-encodes references, because URLs cannot contain braces. */
export const percentEncodeReferences = (url: string): string =>
  url.replace(/\$\{([A-Za-z_]\w*)\}/g, "%24%7B$1%7D");

/** Returns the variable's name if the whole string is one reference. */
export function parseReference(text: string): string | undefined {
  if (!text.endsWith("}")) return undefined;
  const name = /^\$\{([A-Za-z_]\w*)\}$/.exec(text)?.[1];
  return name !== undefined && isReferenceName(name) ? name : undefined;
}

/** Splits `Bearer ${NAME}` into scheme and name. The scheme is optional. */
export function parseBearerReference(text: string): { scheme: string; name: string } | undefined {
  if (!text.endsWith("}")) return undefined;
  const [, scheme = "", reference = ""] = /^(?:([A-Za-z][\w.+-]*) )?(\$\{\w+\})$/.exec(text) ?? [];
  const name = parseReference(reference);
  return name === undefined ? undefined : { scheme, name };
}

/** Names the variable for a value of env or headers. */
export const variableForKey = (
  { name, transport }: Pick<McpServer, "name" | "transport">,
  key: string,
): string => (transport === "stdio" ? key : variableForServer(name, key));

/**
 * Names a variable after the server, such as `POSTMAN_AUTHORIZATION`. All servers share the
 * client's environment, so without the prefix one server could receive another's secret.
 *
 * @param name the header, argument or URL placeholder that holds the value.
 */
export function variableForServer(server: string, name: string): string {
  const [owner, words] = [upperSnake(server) || "MCP", upperSnake(name)];
  // For a server named `api`, `X_API_KEY` does not identify the server.
  const isOwn = `_${words}_`.includes(`_${owner}_`) && !isGeneric(words);
  return usableVariable(isOwn ? words : `${owner}_${words}`);
}

/**
 * Names the variable for a placeholder such as `{tenant}`. A generic name gets the server's prefix,
 * because two servers with `{api_key}` need two keys.
 */
export function variableForPlaceholder(server: string, name: string): string {
  const words = upperSnake(name);
  const isUsable = usableVariable(words) === words && !isGeneric(words);
  return isUsable ? words : variableForServer(server, name);
}

/** Adds a prefix if the shell or the client already uses the name. */
const usableVariable = (name: string): string =>
  /^[A-Z_]/.test(name) && !RESERVED_VARIABLES.has(name) ? name : `MCP_${name}`;

/** Converts `api-key` to `API_KEY`. */
export const upperSnake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();

const RESERVED_VARIABLES: ReadonlySet<string> = new Set(
  "PATH HOME USER USERNAME SHELL PWD LANG TERM TMP TEMP TMPDIR HOST HOSTNAME LOGNAME EDITOR".split(
    " ",
  ),
);

/** Words in names of secrets that do not identify a server. */
const GENERIC_WORDS: ReadonlySet<string> = new Set([
  ..."ACCESS ACCOUNT API APIKEY APP AUTH AUTHORIZATION BEARER CLIENT CREDENTIAL CREDENTIALS".split(
    " ",
  ),
  ..."HTTP ID JWT KEY LOGIN MCP MY PASS PASSWORD PAT PERSONAL PRIVATE REFRESH SECRET SERVER".split(
    " ",
  ),
  ..."SERVICE TOKEN USER VALUE X YOUR".split(" "),
]);

const isGeneric = (words: string): boolean =>
  words.split("_").every((word) => GENERIC_WORDS.has(word));
