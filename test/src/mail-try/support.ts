import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { SearchableMail } from "../../../src/mail-filter/match/mail.ts";
import { filterMatchers } from "../../../src/mail-filter/match/match.ts";
import { splitMailbox } from "../../../src/mail-try/mailbox.ts";
import { type ReadMail, readMail } from "../../../src/mail-try/read-mail.ts";

/** Bytes of their own: `\xE9` of a text is one byte. */
export const latin1 = (text: string): Uint8Array => Buffer.from(text, "latin1");

/** The first mail of a file. */
export async function firstMail(file: string | Uint8Array): Promise<ReadMail> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  for await (const raw of splitMailbox([bytes])) return readMail(raw);
  throw new Error("There is no mail");
}

/** Whether a filter takes a mail, by its conditions or by a search. */
export async function verdictOn(file: string | Uint8Array, search: string | Partial<FilterInput>) {
  const conditions = typeof search === "string" ? { has_words: [search] } : search;
  const [matcher] = filterMatchers([{ ...conditions, star: true }], {});
  return matcher?.match(new SearchableMail((await firstMail(file)).message)).matched;
}
