import type { McpConfigInput } from "../../../schemas/mcp-config.ts";
import { InvalidInputError, issueAt, type Path } from "../../issues.ts";
import { type ServerDiagnostics, TRANSPORT_KEYS } from "../server.ts";
import { placeVariable } from "../server-variable.ts";
import { isObject, sameValue } from "../values.ts";
import { type ConfigValues, flatEntry, urlOf } from "./config-file.ts";

/** An input without the server's name. */
export type Entry = Omit<McpConfigInput, "name">;

/**
 * One server of some client's file as an input.
 *
 * @param server its name.
 * @param diagnostics at the place of the entry.
 * @throws {InvalidInputError} for a value that is not an entry.
 */
export function readEntry(value: unknown, server: string, diagnostics: ServerDiagnostics): Entry {
  if (!isObject(value) || Array.isArray(value)) throw rejection("must be an object");
  const entry = flatEntry(value);
  const url = urlOf(entry);
  const [known, foreign] = url === undefined ? [LOCAL, REMOTE] : [REMOTE, LOCAL];
  for (const [key, value] of Object.entries(entry)) {
    if (known.has(key) || TRANSPORT_KEYS.has(key) || saysNothing(key, value)) continue;
    if (!foreign.has(key)) {
      diagnostics.at(key).warn("field-left-out", "is a setting of one client and was left out");
    } else {
      const kind = url === undefined ? "local" : "remote";
      diagnostics
        .at(key)
        .warn("field-left-out", `is not a field of a ${kind} server and was left out`);
    }
  }
  const references = referencesOf(entry);
  if (url !== undefined)
    return {
      url: readUrl(references(url), server, diagnostics.at("url")),
      ...optional("headers", headersOf(entry, references)),
    };
  const words = Array.isArray(entry.command) ? entry.command : [entry.command];
  const [command, ...rest] = [
    ...words.map((word) => scalar(word, "command")),
    ...list(entry, "args").map((arg) => scalar(arg, "args")),
  ];
  if (command === undefined) throw rejection("has neither a command nor a url");
  return {
    command,
    ...(rest.length > 0 ? { args: rest.map((arg = "") => references(arg)) } : {}),
    ...optional("env", envOf(entry, references)),
  };
}

/** The fields of a local server, under the names of all clients. */
export const LOCAL = new Set(["command", "args", "env", "environment", "env_vars"]);

/** The same of a remote one. */
export const REMOTE = new Set([
  ...["url", "httpUrl", "serverUrl", "headers", "http_headers", "env_http_headers"],
  ...["bearer_token_env_var", "requestInit"],
]);

const saysNothing = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === "" ||
  (isObject(value) && Object.keys(value).length === 0) ||
  (key === "enabled" && value === true) ||
  (key === "disabled" && value === false) ||
  (key === "tools" && sameValue(value, ["*"]));

const rejection = (message: string, ...path: Path): InvalidInputError =>
  new InvalidInputError([issueAt(path, message)]);

const isText = (value: unknown): value is string => typeof value === "string";

function list(entry: ConfigValues, key: string): readonly unknown[] {
  const value = entry[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw rejection("must be a list", key);
}

/** Numbers and booleans become texts. */
function scalar(value: unknown, key: string): string | undefined {
  if (value === undefined) return undefined;
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value);
  throw rejection("must be a text", key);
}

function envOf(entry: ConfigValues, references: (text: string) => string): Record<string, string> {
  const forwarded = list(entry, "env_vars").map((name) =>
    isObject(name) && isText(name.name) ? name.name : name,
  );
  return {
    ...mapOf(entry.env ?? entry.environment, references),
    ...Object.fromEntries(forwarded.filter(isText).map((name) => [name, `\${${name}}`])),
  };
}

function headersOf(
  entry: ConfigValues,
  references: (text: string) => string,
): Record<string, string> {
  const token = entry.bearer_token_env_var;
  const variables = Object.entries(mapOf(entry.env_http_headers));
  return {
    ...mapOf(Object(entry.requestInit).headers, references),
    ...mapOf(entry.headers, references),
    ...mapOf(entry.http_headers, references),
    ...Object.fromEntries(variables.map(([header, name]) => [header, `\${${name}}`])),
    ...(isText(token) ? { Authorization: `Bearer \${${token}}` } : {}),
  };
}

function mapOf(
  value: unknown,
  references: (text: string) => string = (text) => text,
): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.flatMap(([key, text]) => {
      const written = text === null ? undefined : scalar(text, key);
      return written === undefined ? [] : [[key, references(written)]];
    }),
  );
}

/** opencode writes a reference as `{env:NAME}`, VS Code and Cursor as `${env:NAME}`. */
function referencesOf({ type }: ConfigValues): (text: string) => string {
  const isOpencode = type === "local" || type === "remote";
  const form = isOpencode ? /\{env:([A-Za-z_]\w*)\}/g : /\$\{env:([A-Za-z_]\w*)\}/g;
  return (text) => (text.includes("{env:") ? text.replace(form, "${$1}") : text);
}

/** Places to fill, such as `{owner}` and `<your-host>`, become references. */
function readUrl(url: string, server: string, diagnostics: ServerDiagnostics): string {
  const places = new Map<string, string>();
  const filled = url.replace(
    /(?<!\$)\{([A-Za-z][\w -]*)\}|<([A-Za-z][\w -]*)>/g,
    (place, ...names) => {
      const variable = placeVariable(server, String(names[0] ?? names[1]));
      places.set(place, variable);
      return `\${${variable}}`;
    },
  );
  if (places.size > 0) {
    const message = `has places to fill: write your values for ${[...places.keys()].join(", ")}, or set the variables ${[...places.values()].join(", ")}`;
    diagnostics.warn("url-placeholder", message);
  }
  // A URL cannot hold braces.
  return filled.replace(/\$\{([A-Za-z_]\w*)\}/g, "%24%7B$1%7D");
}

const optional = (key: "env" | "headers", map: Record<string, string>): Entry =>
  Object.keys(map).length === 0 ? {} : { [key]: map };
