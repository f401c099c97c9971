import { Diagnostics, type Path, rejection } from "../../issues.ts";
import { clientDefinitions } from "../clients/client-definitions.ts";
import { startsShell } from "../references.ts";
import { type ServerDiagnostics, TRANSPORT_KEYS, type UnnamedInput } from "../server.ts";
import { placeholderVariable } from "../server-variable.ts";
import { type ConfigValues, isObjectOrArray, isPlainObject, sameValue } from "../values.ts";
import {
  fieldsWith,
  flatEntry,
  isWebSocket,
  REMOTE_FIELDS,
  remoteUrlKey,
  STDIO_FIELDS,
  URL_KEYS,
} from "./entry.ts";
import { type FileFacts, type ReadText, referenceReader } from "./read-references.ts";

/**
 * One server of some client's file as an input.
 *
 * @param server its name.
 * @param diagnostics at the path of the entry.
 * @throws {InvalidInputError} for a value that is not an entry.
 */
export function readEntry(
  value: unknown,
  server: string,
  file: FileFacts,
  diagnostics: ServerDiagnostics,
): UnnamedInput {
  if (!isPlainObject(value)) throw rejection("must be an object");
  const entry = flatEntry(value);
  const urlKey = remoteUrlKey(entry);
  if (isWebSocket(entry)) {
    throw rejection("is reached over WebSocket, which one client alone speaks");
  }
  warnAboutLeftOut(entry, urlKey, server, diagnostics);
  const read = referenceReader(entry, server, file);
  return urlKey === undefined
    ? readStdio(entry, read, diagnostics)
    : {
        url: readUrl(
          read(String(entry[urlKey]), "url", diagnostics.at(urlKey)),
          server,
          diagnostics.at(urlKey),
        ),
        ...optional("headers", readHeaders(entry, read, diagnostics)),
      };
}

/** Warns about each field that an input cannot hold. */
function warnAboutLeftOut(
  entry: ConfigValues,
  urlKey: string | undefined,
  server: string,
  diagnostics: ServerDiagnostics,
): void {
  const isLocal = urlKey === undefined;
  const [known, foreign] = isLocal ? [STDIO_FIELDS, REMOTE_FIELDS] : [REMOTE_FIELDS, STDIO_FIELDS];
  for (const [key, value] of Object.entries(entry)) {
    if (TRANSPORT_KEYS.has(key) || saysNothing(key, value)) continue;
    const at = diagnostics.at(key);
    if (foreign.has(key)) {
      const kind = isLocal ? "local" : "remote";
      at.warn("field-left-out", `is not a field of a ${kind} server and was left out`);
    } else if (!known.has(key)) {
      at.warn("field-left-out", settingLeftOut(key, value, server));
    } else if (URL_KEYS.includes(key) && key !== urlKey) {
      at.warn("field-left-out", `is a second URL beside ${urlKey} and was left out`);
    }
  }
}

function settingLeftOut(key: string, value: unknown, server: string): string {
  if (DISABLED.some(([field, off]) => field === key && off === value)) {
    return `was left out: ${server} is disabled here and will start in other clients`;
  }
  return key === "envFile"
    ? "was left out with the variables in that file: add those that the server needs to env"
    : "is a setting of one client and was left out";
}

/** The fields and values by which an entry says that its server does not start. */
const DISABLED = [
  ["disabled", true],
  ["enabled", false],
] as const;

function readStdio(
  entry: ConfigValues,
  read: ReadText,
  diagnostics: ServerDiagnostics,
): UnnamedInput {
  // In opencode's files the command is a list, with the arguments in it.
  const [program, ...words] = [entry.command].flat();
  const command = scalar(program ?? "", "command");
  if (command === "") throw rejection(`has neither a command nor a url${spacedKey(entry)}`);
  const given = [
    ...words.map((word, index) => ({ word, at: ["command", index + 1] })),
    ...listField(entry, "args").map((word, index) => ({ word, at: ["args", index] })),
  ];
  const args = given.map(({ word, at: [field] }) => scalar(word, String(field)));
  const isScript = startsShell({ transport: "stdio", name: "", command, args, env: {} });
  const field = isScript ? "script" : "args";
  if (/[$%{]/.test(command) && read(command, "command", Diagnostics.start()) !== command) {
    const message =
      "has a variable, which many clients do not replace in a command, and was kept; write the path itself";
    diagnostics.at("command").warn("reference-as-text", message);
  }
  const texts = given.map(({ at }, index) => read(args[index] ?? "", field, diagnostics.at(...at)));
  return {
    command,
    ...(texts.length > 0 && { args: texts }),
    ...optional("env", readEnv(entry, read, diagnostics)),
  };
}

/** Names a key that would be a field without the blanks around it, which are easily overlooked. */
function spacedKey(entry: ConfigValues): string {
  const key = Object.keys(entry).find(
    (key) => key !== key.trim() && (STDIO_FIELDS.has(key.trim()) || REMOTE_FIELDS.has(key.trim())),
  );
  return key === undefined ? "" : `: the key ${JSON.stringify(key)} has a blank in it`;
}

/** True for a member that means the same as its absence, in every client. */
const saysNothing = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (isObjectOrArray(value) && Object.keys(value).length === 0) ||
  DEFAULTS.some(([field, preset]) => field === key && sameValue(value, preset));

const DEFAULTS = Object.values(clientDefinitions).flatMap(({ defaults = {} }) =>
  Object.entries(defaults),
);

const isText = (value: unknown): value is string => typeof value === "string";

function listField(entry: ConfigValues, key: string): readonly unknown[] {
  const value = entry[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw rejection("must be a list", key);
}

/** A value as a text; numbers and booleans become one. */
function scalar(value: unknown, ...path: Path): string {
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value);
  throw rejection("must be a text", ...path);
}

function readEnv(
  entry: ConfigValues,
  read: ReadText,
  diagnostics: ServerDiagnostics,
): Record<string, string> {
  const forwarded = fieldsWith("envNames")
    .flatMap((field) => listField(entry, field))
    .map((name) => (isObjectOrArray(name) && isText(name.name) ? name.name : name));
  return mergeMaps([
    ...fieldsWith("env").map((field) => readMap(entry, field, "env", read, diagnostics)),
    ...forwarded.filter(isText).map((name) => ({ [name]: `\${${name}}` })),
  ]);
}

function readHeaders(
  entry: ConfigValues,
  read: ReadText,
  diagnostics: ServerDiagnostics,
): Record<string, string> {
  const inMap = (map: ConfigValues, field: string, read: ReadText, at = diagnostics) =>
    readMap(map, field, "headers", read, at);
  const tokens = fieldsWith("tokenVariable").map((field) => entry[field]);
  return mergeMaps([
    inMap(Object(entry.requestInit), "headers", read, diagnostics.at("requestInit")),
    ...fieldsWith("headers").map((field) => inMap(entry, field, read)),
    ...fieldsWith("headerVariables").map((field) => inMap(entry, field, (name) => `\${${name}}`)),
    ...tokens.filter(isText).map((token) => ({ Authorization: `Bearer \${${token}}` })),
  ]);
}

/** Joins maps; the value of a later one wins. `Object.assign` would lose `__proto__`. */
const mergeMaps = (maps: readonly Readonly<Record<string, string>>[]): Record<string, string> =>
  Object.fromEntries(maps.flatMap((map) => Object.entries(map)));

function readMap(
  entry: ConfigValues,
  field: string,
  inputField: "env" | "headers",
  read: ReadText,
  diagnostics: ServerDiagnostics,
): Record<string, string> {
  const map = entry[field] ?? {};
  if (!isPlainObject(map)) throw rejection("must be an object", field);
  return Object.fromEntries(
    Object.entries(map).flatMap(([key, value]) => {
      const at = diagnostics.at(field, key);
      if (value !== null) return [[key, read(scalar(value, field, key), inputField, at)]];
      at.warn("field-left-out", "has no value and was left out");
      return [];
    }),
  );
}

/** The URL with references for its placeholders, such as `{owner}` and `<your-host>`. */
function readUrl(url: string, server: string, diagnostics: ServerDiagnostics): string {
  const placeholders = new Map<string, string>();
  const filled = url.replace(
    /(?<!\$)\{([A-Za-z][\w -]*)\}|<([A-Za-z][\w -]*)>/g,
    (placeholder, ...names) => {
      const variable = placeholderVariable(server, String(names[0] ?? names[1]));
      placeholders.set(placeholder, variable);
      return `\${${variable}}`;
    },
  );
  if (placeholders.size > 0) {
    const message = `has places to fill: write your values for ${[...placeholders.keys()].join(", ")}, or set the variables ${[...placeholders.values()].join(", ")}`;
    diagnostics.warn("url-placeholder", message);
  }
  return filled;
}

const optional = (key: "env" | "headers", map: Record<string, string>): UnnamedInput =>
  Object.keys(map).length === 0 ? {} : { [key]: map };
