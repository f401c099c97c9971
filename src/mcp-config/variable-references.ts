import { unionPattern } from "./json-values.ts";
import { envOrHeaders, type McpServer, mapStrings, type ServerString } from "./mcp-server.ts";

/**
 * `${NAME}` in an argument, a variable, a header or a URL stands for a variable of the client's
 * environment, but not within `${OTHER:-…}`. A valid URL has no braces, so `%24%7BNAME%7D` and
 * `$%7BNAME%7D` are references there too.
 */
const REFERENCE = /(?<!\$\{\w+:[^{}]*)\$\{([A-Za-z_]\w*)\}/g;
const URL_REFERENCE = /(?:\$|%24)(?:\{|%7B)([A-Za-z_]\w*)(?:\}|%7D)/gi;

/** The forms of references in clients' files; the first group of each is the name. */
export const REFERENCE_SYNTAXES = {
  "${NAME}": /\$\{([A-Za-z_]\w*)\}/g,
  "${env:NAME}": /\$\{env:([A-Za-z_]\w*)\}/g,
  "{env:NAME}": /\{env:([A-Za-z_]\w*)\}/g,
  $NAME: /\$([A-Za-z_]\w*)/g,
  "%NAME%": /%([A-Za-z_]\w*)%/g,
} as const;

/** The parts of a text that look like a reference in some client's form. */
export const REFERENCE_PART = unionPattern(
  "g",
  /\$\{(?:[A-Za-z_]\w*(?::[^}]*)?|\/)\}/,
  // `$name` is skipped: it is a word of queries and schemas.
  /(?<![\w$\\])\$(?:env:\w+|[A-Z_][A-Z\d_]*(?![\w$]))/,
  /(?<!\$)\{(?:env|file):[^}]+\}/,
);

export type ReferenceSyntax = keyof typeof REFERENCE_SYNTAXES;

export const formatReference = (form: ReferenceSyntax, name: string): string =>
  form.replace("NAME", () => name);

/** Variables of VS Code and its forks, beside those that begin with `workspace`, `file` or `relativeFile`. */
const EDITOR_VARIABLES: ReadonlySet<string> = new Set(
  "userHome cwd execPath execInstallFolder pathSeparator lineNumber columnNumber selectedText defaultBuildTask".split(
    " ",
  ),
);

/** True for a variable that VS Code defines itself. */
export const isEditorVariable = (name: string): boolean =>
  /^(?:workspace|file|relativeFile)\w*$/.test(name) || EDITOR_VARIABLES.has(name);

export interface StringWithReferences extends ServerString {
  readonly names: readonly string[];
}

/** The texts of the server that have references; most servers have none. */
export function findReferences(
  server: McpServer,
  texts: readonly ServerString[],
): StringWithReferences[] {
  const candidates = texts.filter(({ value }) => /(?:\$|%24)(?:\{|%7B)/i.test(value));
  return candidates.flatMap((text) => {
    const found = mayHaveReferences(text, server)
      ? text.value.matchAll(referencePattern(text))
      : [];
    const names = Array.from(found, ([, name = ""]) => name).filter(isReferenceName);
    return names.length > 0 ? [{ ...text, names }] : [];
  });
}

const referencePattern = ({ path }: Pick<ServerString, "path">): RegExp =>
  path[0] === "url" ? URL_REFERENCE : REFERENCE;

/** False for the names of variables that clients define themselves: to us they are text. */
export const isReferenceName = (name: string): boolean =>
  !isEditorVariable(name) && !/^CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT)$/.test(name);

/** A command is text, and so is the script of a shell: there the shell replaces `${NAME}`. */
const mayHaveReferences = ({ path }: ServerString, server: McpServer): boolean =>
  path[0] !== "command" && !(path[0] === "args" && startsShell(server));

export function startsShell(server: McpServer): boolean {
  if (server.transport !== "stdio") return false;
  const program = /[^/\\]*$/.exec(server.command)?.[0] ?? "";
  const isShell = /^(?:ba|z|da|k|mk|a|fi|ya)?sh(?:\.exe)?$|^(?:pwsh|powershell)(?:\.exe)?$/i;
  return isShell.test(program) && server.args.some((arg) => /^-\w*c/i.test(arg));
}

/** The server with every reference in these texts in another form; undefined keeps one as it is. */
export function rewriteReferences(
  server: McpServer,
  texts: readonly StringWithReferences[],
  write: (name: string) => string | undefined,
): McpServer {
  if (texts.length === 0) return server;
  const values = new Map(texts.map(({ value, path }) => [path.join("\0"), value]));
  return mapStrings(server, (value, path) =>
    values.has(path.join("\0")) ? rewriteText(value, referencePattern({ path }), write) : value,
  );
}

/**
 * The text with its references in another form.
 *
 * @param form finds them; its first group is the name.
 */
const rewriteText = (
  text: string,
  form: RegExp,
  write: (name: string) => string | undefined,
): string =>
  text.replace(form, (match, name: string) =>
    isReferenceName(name) ? (write(name) ?? match) : match,
  );

export const removeReferences = (text: string): string =>
  text.includes("${") ? rewriteText(text, REFERENCE, () => "") : text;

/** The text with a place to fill in, `<NAME>`, for each reference. */
export const replaceByPlaceholders = (text: string): string =>
  rewriteText(text, REFERENCE, (name) => `<${name}>`);

/** A text of a client's file with its references written as `${NAME}`, in a URL too. */
export const toCanonicalReferences = (text: string): string =>
  text.replace(/\$?\{env:([A-Za-z_]\w*)\}/g, "${$1}").replace(URL_REFERENCE, "${$1}");

/** A URL with its references encoded, since a valid one has no braces. */
export const encodeReferences = (url: string): string =>
  url.replace(/\$\{([A-Za-z_]\w*)\}/g, "%24%7B$1%7D");

/** The name when a text is one reference and nothing else. */
export function parseReference(text: string): string | undefined {
  if (!text.endsWith("}")) return undefined;
  const name = /^\$\{([A-Za-z_]\w*)\}$/.exec(text)?.[1];
  return name !== undefined && isReferenceName(name) ? name : undefined;
}

/** The parts of `Bearer ${NAME}`: a reference, with at most a scheme before it. */
export function parseBearerReference(text: string): { scheme: string; name: string } | undefined {
  if (!text.endsWith("}")) return undefined;
  const [, scheme = "", reference = ""] = /^(?:([A-Za-z][\w.+-]*) )?(\$\{\w+\})$/.exec(text) ?? [];
  const name = parseReference(reference);
  return name === undefined ? undefined : { scheme, name };
}

/** The variable for a value of the server's environment or headers. */
export const variableForValue = (
  { name, transport }: Pick<McpServer, "name" | "transport">,
  key: string,
): string => (transport === "stdio" ? key : variableForServer(name, key));

/** The keys of env or headers whose values are written out. */
export const findLiteralKeys = (server: McpServer): string[] =>
  Object.entries(envOrHeaders(server)).flatMap(([key, value]) =>
    parseBearerReference(value) === undefined ? [key] : [],
  );

/**
 * The variable for a value of one server, `POSTMAN_AUTHORIZATION`. The environment is the same for
 * all servers: without the server's name one server would get the secret of another.
 *
 * @param name of the value: that of a header, an argument or a placeholder in a URL.
 */
export function variableForServer(server: string, name: string): string {
  const [owner, words] = [upperSnake(server) || "MCP", upperSnake(name)];
  // `X_API_KEY` of a server `api` may be that of any server.
  const isOwn = `_${words}_`.includes(`_${owner}_`) && !isGeneric(words);
  return usableVariable(isOwn ? words : `${owner}_${words}`);
}

/**
 * The variable for a placeholder, `{tenant}`. It has the placeholder's name unless that is generic: `{api_key}` of two servers means two keys.
 */
export function variableForPlaceholder(server: string, name: string): string {
  const words = upperSnake(name);
  const isUsable = usableVariable(words) === words && !isGeneric(words);
  return isUsable ? words : variableForServer(server, name);
}

/** The name itself, unless the shell or the client already uses it. */
const usableVariable = (name: string): string =>
  /^[A-Z_]/.test(name) && !RESERVED_VARIABLES.has(name) ? name : `MCP_${name}`;

/** `API_KEY` for `api-key`. */
export const upperSnake = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z\d]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();

/** Variables that the shell or the client already uses. */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(
  "PATH HOME USER USERNAME SHELL PWD LANG TERM TMP TEMP TMPDIR HOST HOSTNAME LOGNAME EDITOR".split(
    " ",
  ),
);

/** The words of secrets that do not tell which server they are for. */
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
