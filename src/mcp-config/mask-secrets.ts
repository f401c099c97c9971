import { asString, isObjectOrArray } from "./json-values.ts";
import { fieldsWith } from "./parse/entry-fields.ts";
import {
  ASSIGNMENT,
  findSecretArguments,
  holdsSecret,
  looksRandom,
  MIN_SECRET_LENGTH,
  URL_PARTS,
} from "./secrets.ts";
import { toCanonicalReferences } from "./variable-references.ts";

const SECRET_MASK = "***";

export const maskLine = (line: string): string => [maskSecrets(line.split(" "))].flat().join(" ");

/** Describes a server by its name and its URL or command line, with secrets masked. */
export function describeMaskedServer(server: unknown): string {
  const { name, url, command, args = [] } = Object(maskSecrets(server));
  return `${asString(name)} (${url ?? [command, args].flat().join(" ")})`;
}

/**
 * Copies a value from a client's file, with `***` in place of likely secrets.
 *
 * @param key the key of the value.
 * @param parentKey the key of the object around it.
 */
export function maskSecrets(value: unknown, key = "", parentKey = ""): unknown {
  if (NAMES_VARIABLES.has(key)) return value;
  if (Array.isArray(value)) {
    const words = maskArguments(value.map((item) => (typeof item === "string" ? item : "")));
    return value.map((item, index) =>
      typeof item === "string" && words[index] !== item
        ? words[index]
        : maskSecrets(item, key, parentKey),
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
  const mayBeSecret = text.length >= MIN_SECRET_LENGTH || SECRET_FIELDS.has(parentKey);
  if (mayBeSecret && holdsSecret(key, canonical(text))) return SECRET_MASK;
  return typeof value === "string" ? maskUrl(text) : value;
}

function maskArguments(args: readonly string[]): string[] {
  const secret = new Set(findSecretArguments(args.map(canonical)));
  return args.map((argument, index) => {
    const shown = maskUrl(argument);
    if (!secret.has(index) || shown !== argument) return shown;
    const [, , value = argument] = ASSIGNMENT.exec(argument) ?? [];
    return argument.slice(0, argument.length - value.length) + SECRET_MASK;
  });
}

/** Rewrites references as `${NAME}`, including VS Code's `${input:…}`. */
const canonical = (text: string): string =>
  toCanonicalReferences(text).replace(/\$\{input:[^{}]+\}/g, "${INPUT}");

/** Fields whose values are secrets of any length. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(fieldsWith("env", "headers"));

/** Fields that hold names of variables, not values. */
const NAMES_VARIABLES: ReadonlySet<string> = new Set(
  fieldsWith("headerVariables", "tokenVariable"),
);

/** Masks the secret parts of a URL. Other strings are returned unchanged. */
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
