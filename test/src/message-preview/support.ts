import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { createFilterMatchers } from "../../../src/mail-filter/match/match-filters.ts";
import { SearchableMessage } from "../../../src/mail-filter/match/message.ts";
import { type ParsedMessage, parseMessage } from "../../../src/message-preview/parse-message.ts";

/** Bytes of their own: `\xE9` of a text is one byte. */
export const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** A message that can be read, of which a text is in UTF-8. */
export async function parse(file: string | Uint8Array): Promise<ParsedMessage> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const parsed = await parseMessage(bytes);
  if (!parsed) throw new Error("There is no message");
  return parsed;
}

/** Whether a filter takes a mail, by its conditions or by a search. */
export async function verdictOn(file: string | Uint8Array, search: string | Partial<FilterInput>) {
  const conditions = typeof search === "string" ? { has_words: [search] } : search;
  const [matcher] = createFilterMatchers({ filters: [{ ...conditions, star: true }] }, {});
  return matcher?.match(new SearchableMessage((await parse(file)).message)).matched;
}
