import { Findings } from "../../findings.ts";
import type { Path } from "../../issues.ts";
import { type McpFindings, mcpFindings, reject } from "../config-findings.ts";
import { type ConfigValues, isObjectOrArray, isPlainObject, sameValue } from "../json-values.ts";
import { TRANSPORT_KEYS, type UnnamedInput } from "../mcp-server.ts";
import { startsShell, variableForPlaceholder } from "../variable-references.ts";
import {
  FIELD_CONTENTS,
  isDisabled,
  isWebSocket,
  remoteUrlKey,
  toInputField,
} from "./entry-fields.ts";
import { type FileContext, type ParseString, referenceReader } from "./parse-references.ts";

/**
 * Converts a server in any client's file to an input.
 *
 * @param findings at the path of the entry.
 * @throws {InvalidInputError} for a value that is not an entry.
 */
export function parseEntry(
  entry: unknown,
  server: string,
  file: FileContext,
  findings: McpFindings,
): UnnamedInput {
  if (!isPlainObject(entry)) return reject("not-an-object");
  const urlKey = remoteUrlKey(entry);
  if (isWebSocket(entry)) reject("web-socket");
  const keys = Object.keys(entry).filter((key) => !isDefaultValue(key, entry[key]));
  if (urlKey === undefined && !keys.includes("command")) reject("no-target", { keys });
  warnAboutLeftOut(entry, urlKey, server, findings);
  const read = referenceReader(server, file);
  return urlKey === undefined
    ? readStdio(entry, read, findings)
    : {
        url: readUrl(
          read(String(entry[urlKey]), "url", findings.at(urlKey)),
          server,
          findings.at(urlKey),
        ),
        ...readValues(entry, "headers", read, findings),
      };
}

function warnAboutLeftOut(
  entry: ConfigValues,
  urlKey: string | undefined,
  server: string,
  findings: McpFindings,
): void {
  const isLocal = urlKey === undefined;
  for (const [key, value] of Object.entries(entry)) {
    if (TRANSPORT_KEYS.has(key) || isDefaultValue(key, value)) continue;
    const at = findings.at(key);
    const field = toInputField(key);
    if (field === "url" ? key !== urlKey : field && (field === "headers") === isLocal) {
      at.add("left-out/foreign", { kind: isLocal ? "local" : "remote" });
    } else if (field) continue;
    else if (isDisabled({ [key]: value })) {
      at.add("left-out/disabled", { name: server });
    } else if (key !== "cwd" || !isLocal) {
      at.add(key === "envFile" ? "left-out/env-file" : "left-out");
    } else if (readCwd(entry) === undefined) at.add("left-out/cwd-variable");
  }
}

/** The folder that the server starts in, unless only its client can resolve it. */
export const readCwd = ({ cwd }: ConfigValues): string | undefined =>
  isString(cwd) && /^[^~$%{}][^$%{}]*$/.test(cwd) ? cwd : undefined;

function readStdio(entry: ConfigValues, read: ParseString, findings: McpFindings): UnnamedInput {
  // In opencode's files, the command is a list that includes the arguments.
  const [program, ...rest] = [entry.command].flat();
  const command = scalarToString(program ?? "", "command");
  const given = [
    ...rest.map((word, index) => ({ word, at: ["command", index + 1] })),
    ...listField(entry, "args").map((word, index) => ({ word, at: ["args", index] })),
  ];
  const args = given.map(({ word, at: [field] }) => scalarToString(word, String(field)));
  const isScript = startsShell({ command, args });
  const field = isScript ? "script" : "args";
  const words = given.map(({ at }, index) => read(args[index] ?? "", field, findings.at(...at)));
  return {
    command,
    ...(words.length > 0 && { args: words }),
    ...readValues(entry, "env", read, findings),
  };
}

/** Whether every client treats the value like a missing member. */
export const isDefaultValue = (key: string, value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (isObjectOrArray(value) && Object.keys(value).length === 0) ||
  DEFAULT_VALUES.some(([field, preset]) => field === key && sameValue(value, preset));

/** Settings, with the value that equals the default. */
const DEFAULT_VALUES = [
  ["tools", ["*"]],
  ["enabled", true],
  ["disabled", false],
] as const;

const isString = (value: unknown): value is string => typeof value === "string";

function listField(entry: ConfigValues, key: string): readonly unknown[] {
  const value = entry[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  return new Findings(mcpFindings, [key]).fail("not-a-list");
}

/** Converts numbers and booleans to strings. */
function scalarToString(value: unknown, ...path: Path): string {
  if (["string", "number", "boolean", "bigint"].includes(typeof value)) return String(value);
  return new Findings(mcpFindings, path).fail("not-a-text");
}

/** Reads the variables or headers of all fields that hold some. For a repeated name, the last wins. */
function readValues(
  entry: ConfigValues,
  wanted: "env" | "headers",
  read: ParseString,
  findings: McpFindings,
): UnnamedInput {
  const toReference = (name: unknown) => `\${${name}}`;
  const pairs = [...FIELD_CONTENTS].flatMap(([field, content]): [string, string][] => {
    const value = entry[field];
    if (value === undefined || toInputField(field) !== wanted) return [];
    if (content === "token") return isString(value) ? [bearer(value)] : [];
    if (content === "tokenVariable") return isString(value) ? [bearer(toReference(value))] : [];
    if (content === "envNames") {
      const names = listField(entry, field).map((name) => (isPlainObject(name) ? name.name : name));
      return names.filter(isString).map((name) => [name, toReference(name)]);
    }
    const [map, at]: [ConfigValues, McpFindings] =
      content === "requestInit" ? [Object(value), findings.at(field)] : [entry, findings];
    const key = content === "requestInit" ? "headers" : field;
    return readMap(map, key, wanted, content === "headerVariables" ? toReference : read, at);
  });
  return pairs.length === 0 ? {} : { [wanted]: Object.fromEntries(pairs) };
}

const bearer = (token: string): [string, string] => ["Authorization", `Bearer ${token}`];

function readMap(
  entry: ConfigValues,
  field: string,
  inputField: "env" | "headers",
  read: ParseString,
  findings: McpFindings,
): [string, string][] {
  const map = entry[field] ?? {};
  if (!isPlainObject(map)) return new Findings(mcpFindings, [field]).fail("not-an-object");
  return Object.entries(map).flatMap(([key, value]) => {
    const at = findings.at(field, key);
    if (value !== null) return [[key, read(scalarToString(value, field, key), inputField, at)]];
    at.add("left-out/empty");
    return [];
  });
}

/** Replaces URL placeholders, such as `{owner}`, `<your-host>` and `YOUR_URL/mcp`, with references. */
export function readUrl(url: string, server: string, findings: McpFindings): string {
  const placeholders = new Map<string, string>();
  const filled = url.replace(
    /(?<!\$)\{([A-Za-z][\w -]*)\}|<([A-Za-z][\w -]*)>|^[A-Z][A-Z\d]*(?:[_-][A-Z\d]+)*(?=[/?#]|$)/g,
    (placeholder, ...names) => {
      const variable = variableForPlaceholder(server, String(names[0] ?? names[1] ?? placeholder));
      placeholders.set(placeholder, variable);
      return `\${${variable}}`;
    },
  );
  if (placeholders.size > 0) {
    const [found, variables] = [[...placeholders.keys()], [...placeholders.values()]];
    findings.add("read-as/url", { found, variables });
  }
  return filled;
}
