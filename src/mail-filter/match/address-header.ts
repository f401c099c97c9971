import type { MatchOptions } from "./mail-message.ts";
import { foldCase, SearchText, wordsIn } from "./search-text.ts";

/** The addresses and the names of a header such as `"Ann, Bob" <b@x.com>, c@y.org`. */
export class AddressHeader {
  readonly addresses: readonly string[];
  /** Names and addresses, in which words are looked for. */
  readonly all: SearchText;
  /** The header without its addresses; a name may look like one. */
  readonly names: SearchText;
  /** The addresses in the form that `canonicalAddress` gives. */
  readonly canonical: readonly string[];
  /** The words of each address's domain, with a space before each. */
  readonly domains: readonly string[];

  /** True when a domain is in its ASCII form, `xn--…`. */
  readonly hasAsciiForm: boolean;

  constructor(header: string) {
    const folded = foldCase(header)
      .replace(/\\["\\]/g, "")
      .replace(/\s+/g, " ");
    const found: string[] = [];
    const names = folded.replace(MAILBOX, (_, quoted = "", angled = "", bare = "") => {
      if (quoted) return quoted;
      found.push(angled || bare);
      return " | ";
    });
    this.addresses = found;
    this.hasAsciiForm = found.some((address) => address.includes("xn--"));
    this.canonical = found.map(canonicalAddress);
    this.domains = found.map((address) => {
      const words = wordsIn(address.slice(address.lastIndexOf("@") + 1));
      return ` ${words.join(" ")}`;
    });
    this.all = new SearchText(folded);
    this.names = new SearchText(names);
  }
}

/** A name in quotes, an address in angle brackets, or a bare one without a name before it. */
const MAILBOX =
  /("[^"]*")|< ?([^\s<>]+@[^\s<>]+) ?>|(?<=^ ?|[,;:] ?)([^\s<>,;:"()]+@[^\s<>,;:"()]+)(?= ?(?:$|[,;(]))/g;

/** Gmail ignores dots and the part from a plus on in an account's own address. */
export function canonicalAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [local = ""] = address.slice(0, at).split("+");
  return isGmail(address) ? `${local.replaceAll(".", "")}@gmail.com` : local + address.slice(at);
}

export const isGmail = (address: string): boolean => /@(?:gmail|googlemail)\.com$/.test(address);

/** The account's own addresses, each in one form; undefined when they are not known. */
export const ownAddresses = ({ me }: MatchOptions): ReadonlySet<string> | undefined =>
  me && new Set(me.map((address) => canonicalAddress(foldCase(address))));
