import type { Client, Transport } from "../../../schemas/inputs/mcp-config.ts";
import type { ClientDefinition } from "../client.ts";
import { clientDefinitions } from "../clients/client-definitions.ts";
import { type ConfigValues, flatEntry, saysSse, urlOf } from "../read/config-file.ts";
import { rewriteText } from "../references.ts";
import { isObject, sameValue } from "../values.ts";

/** True when the client reads both entries as the same server, however they are spelled. */
export const isSameEntry = (one: unknown, other: unknown, client: Client): boolean =>
  sameValue(inOneForm(one, client), inOneForm(other, client));

export function transportOf(entry: unknown, client: Client): Transport | "unknown" {
  if (!isObject(entry)) return "unknown";
  if (urlOf(entry) !== undefined) {
    const { urlIsSse } = clientDefinitions[client];
    return saysSse(entry) || (urlIsSse && entry.httpUrl === undefined) ? "sse" : "http";
  }
  return "command" in entry ? "stdio" : "unknown";
}

/** An entry as `mcpConfig` spells it, without the members that mean the same as none. */
function inOneForm(value: unknown, client: Client): unknown {
  const transport = transportOf(value, client);
  if (!isObject(value) || transport === "unknown") return value;
  const { synonyms = {}, defaults, references } = clientDefinitions[client];
  const entry = flatEntry(value);
  const absent = new Map(Object.entries(defaults[transport]));
  const names = new Map(Object.entries(synonyms));
  return Object.fromEntries(
    Object.entries(entry)
      .filter(([key, value]) => !absent.get(key)?.some((one) => sameValue(one, value)))
      .map(([key, value]) => {
        const name = names.get(key) ?? key;
        // Beside a member of the usual name the client has to choose between two.
        return [Object.hasOwn(entry, name) ? key : name, inOwnForm(key, value, references)];
      }),
  );
}

/** A value in which all references have the form of `mcpConfig`. */
function inOwnForm(
  field: string,
  value: unknown,
  references: ClientDefinition["references"],
): unknown {
  const { otherForm, write, resolvesIn } = references ?? {};
  if (!otherForm || !write || !resolvesIn?.({ path: [field], value: "" })) return value;
  if (typeof value === "string") return rewriteText(value, otherForm, write);
  if (Array.isArray(value)) return value.map((item) => inOwnForm(field, item, references));
  if (!isObject(value)) return value;
  const mapped = (map: ConfigValues) =>
    Object.entries(map).map(([key, item]) => [key, inOwnForm(field, item, references)]);
  return Object.fromEntries(mapped(value));
}
