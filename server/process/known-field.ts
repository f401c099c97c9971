import { BetaSignupSchema, tools } from "../../schemas/index.ts";
import { once } from "../once.ts";

/**
 * The part of a path that our schemas name, for the log: `filters[0].from[1]` as it is, `env` of
 * `env["a b"]`. A key that the caller has chosen may be an address or a secret.
 *
 * @returns undefined when the path begins with another key.
 */
export function knownField(path: string): string | undefined {
  let field = "";
  for (const [part, name] of path.matchAll(PARTS)) {
    if (name !== undefined && !knownNames().has(name)) break;
    if (path.startsWith('["', field.length)) break;
    field += part;
  }
  return field === "" ? undefined : field;
}

const PARTS = /\.?([A-Za-z_$][\w$]*)|\[\d+\]/gy;

const knownNames = once(() =>
  collectFieldNames([BetaSignupSchema, ...tools.map(({ input }) => input)]),
);

/** The names of all properties within a schema. */
function collectFieldNames(schema: unknown, names = new Set<string>(), seen = new Set<unknown>()) {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return names;
  seen.add(schema);
  for (const [key, part] of Object.entries(schema)) {
    if (key === "entries") for (const name of Object.keys(part)) names.add(name);
    collectFieldNames(part, names, seen);
  }
  return names;
}
