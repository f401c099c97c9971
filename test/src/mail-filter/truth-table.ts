import { readXml } from "./support.ts";

/** A mail as the random tests send it: a few words of a small alphabet in each field. */
export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: readonly string[];
  readonly words: readonly string[];
  readonly megabytes: number;
}

type Entry = ReadonlyMap<string, string>;

/** The entries of a file, in its order. */
export const entriesIn = (xml: string): readonly Entry[] =>
  readXml(xml).map(({ properties }) => properties);

/**
 * The effects of entries on a mail when they run one after the other, each seeing what those before it
 * have done, and the last of two opposites winning. It reads the properties of the file by itself.
 */
export function treat(mail: Mail, entries: readonly Entry[]): string {
  const done = new Map<string, string>();
  for (const entry of entries) {
    if (!takes(entry, mail, done)) continue;
    for (const [name, value] of entry) {
      if (!ACTION.test(name)) continue;
      if (name === "label") done.set(`label ${value.toLowerCase()}`, "true");
      else if (name === "forwardTo") done.set(`forward ${value}`, "true");
      else done.set(name.replace(/^should(?:Always|Never)MarkAs/, "should"), name + value);
    }
  }
  return [...done].map(String).sort().join("\n");
}

const ACTION = /^(?:label|should|smartLabel|forwardTo)/;

function takes(entry: Entry, mail: Mail, done: ReadonlyMap<string, string>): boolean {
  const alternatives = (name: string) =>
    entry
      .get(name)
      ?.split(" OR ")
      .map((term) => term.replaceAll('"', "").toLowerCase());
  const meets = (name: string, has: (term: string) => boolean) =>
    alternatives(name)?.some(has) ?? true;
  const isOf = (address: string) => (term: string) =>
    term.startsWith("@") ? address.endsWith(term) : address === term;
  const isTrue = (word: string): boolean => {
    if (word === "has:nouserlabels") return ![...done.keys()].some((key) => /^label /.test(key));
    if (word === "is:unread") return !done.has("shouldMarkAsRead");
    if (word.startsWith("label:")) return done.has(`label ${word.slice(6)}`);
    return mail.words.includes(word);
  };
  const size = Number(entry.get("size") ?? 0);
  return (
    meets("from", isOf(mail.from)) &&
    meets("to", (term) => mail.to.some((address) => isOf(address)(term))) &&
    meets("subject", (term) => mail.subject.includes(term)) &&
    (entry.get("hasTheWord")?.split(" ") ?? []).every(isTrue) &&
    !(alternatives("doesNotHaveTheWord") ?? []).some(isTrue) &&
    mail.megabytes > size
  );
}
