import { asString, isObjectOrArray } from "./json-values.ts";
import { fieldsWith } from "./parse/entry-fields.ts";
import {
  ASSIGNMENT,
  holdsSecret,
  looksRandom,
  MIN_SECRET,
  secretArguments,
  URL_PARTS,
} from "./secrets.ts";
import { toCanonicalReferences } from "./variable-references.ts";

const SECRET_MASK = "***";

/** A command line with its secrets masked. */
export const maskWords = (line: string): string => [maskSecrets(line.split(" "))].flat().join(" ");

/** A server by its name, and what tells it from another: its URL or its command line, with its secrets masked. */
export function describeServer(server: unknown): string {
  const { name, url, command, args = [] } = Object(maskSecrets(server));
  return `${asString(name)} (${url ?? [command, args].flat().join(" ")})`;
}

/**
 * A copy of a value of a client's file with `***` in place of texts that are likely to be secret.
 *
 * @param key the key of the value.
 * @param outer the key of the object around it.
 */
export function maskSecrets(value: unknown, key = "", outer = ""): unknown {
  if (NAMES_VARIABLES.has(key)) return value;
  if (Array.isArray(value)) {
    const words = maskArguments(value.map((item) => (typeof item === "string" ? item : "")));
    return value.map((item, index) =>
      typeof item === "string" && words[index] !== item
        ? words[index]
        : maskSecrets(item, key, outer),
    );
  }
  if (value instanceof Date) return value;
  if (isObjectOrArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, maskSecrets(item, name, key)]),
    );
  }
  if (!["string", "number", "bigint"].includes(typeof value)) return value;
  const text = String(value);
  const isLong = text.length >= MIN_SECRET || HOLDS_ANY_SECRET.has(outer);
  if (isLong && holdsSecret(key, canonical(text))) return SECRET_MASK;
  return typeof value === "string" ? maskUrl(text) : value;
}

/** The words of a command line with `***` in place of what is likely to be secret. */
function maskArguments(args: readonly string[]): string[] {
  const secret = new Set(secretArguments(args.map(canonical)));
  return args.map((argument, index) => {
    const shown = maskUrl(argument);
    if (!secret.has(index) || shown !== argument) return shown;
    const [, , value = argument] = ASSIGNMENT.exec(argument) ?? [];
    return argument.slice(0, argument.length - value.length) + SECRET_MASK;
  });
}

/** The text with its references as `${NAME}`, also those to the inputs of VS Code. */
const canonical = (text: string): string =>
  toCanonicalReferences(text).replace(/\$\{input:[^{}]+\}/g, "${INPUT}");

/** The fields whose values are secrets of any length. */
const HOLDS_ANY_SECRET: ReadonlySet<string> = new Set(fieldsWith("env", "headers"));

/** The fields that hold the names of variables, not their values. */
const NAMES_VARIABLES: ReadonlySet<string> = new Set(
  fieldsWith("headerVariables", "tokenVariable"),
);

/** A URL with `***` in place of its secret parts; any other text as it is. */
function maskUrl(text: string): string {
  const [, scheme, user, host = "", path = "", query, fragment = ""] = URL_PARTS.exec(text) ?? [];
  if (scheme === undefined) return text;
  const parameters = query?.split("&").map((parameter) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    return holdsSecret(name, canonical(value)) ? `${name}=${SECRET_MASK}` : parameter;
  });
  return [
    scheme,
    ...(user === undefined ? [] : [user.includes(":") ? SECRET_MASK : user, "@"]),
    host,
    maskParts(path),
    ...(parameters === undefined ? [] : ["?", parameters.join("&")]),
    maskParts(fragment),
  ].join("");
}

const maskParts = (path: string): string =>
  path.replace(/[^/#=&]+/g, (part) => (looksRandom(part) ? SECRET_MASK : part));
