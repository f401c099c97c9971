import type { Editable } from "../../../schemas/common.ts";
import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { filterKey } from "../filter-key.ts";
import type { Properties } from "../write.ts";
import { parseActions, parseConditions } from "./entry.ts";
import type { FeedEntry } from "./feed.ts";
import { readMeaning, tidied } from "./meaning.ts";
import { cutToName, writeFilter } from "./write-filter.ts";

/** A filter, or the reason why an entry is left out, which names properties as the export does. */
type Read = { readonly filter: Editable<FilterInput> } | { readonly reason: string };

export const DOES_NOTHING = "does nothing in Gmail; its label was perhaps deleted";

/** Reads an entry as a filter that, written again, means the same. */
export function readFilterEntry(given: FeedEntry): Read {
  const properties: Properties = given.properties;
  const { key, problem } = readMeaning(given);
  if (problem !== undefined) return { reason: problem };
  const actions = parseActions(properties);
  if ("reason" in actions) return actions;
  if (Object.keys(actions.fields).length === 0) return { reason: DOES_NOTHING };
  const name = cutToName(given.comment);
  const others = { ...(name && { name }), ...actions.fields };
  const read = readConditions(properties, key, others);
  if ("filter" in read) return read;
  const tidy = readConditions(tidied(properties), key, others);
  return "filter" in tidy ? tidy : read;
}

/** @param key of the entry; a filter counts only if it has the same key. */
function readConditions(properties: Properties, key: string, others: object): Read {
  const { conditions, origins } = parseConditions(properties);
  if (Object.keys(conditions).length === 0) return { reason: "has no condition" };
  const written = writeFilter({ ...others, ...conditions }, origins);
  if ("reason" in written) return written;
  return filterKey(written.criteria, written.actions) === key
    ? { filter: written.filter }
    : { reason: "cannot be expressed in this tool's input without a change of meaning" };
}
