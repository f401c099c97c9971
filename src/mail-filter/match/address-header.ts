import type { MatchOptions } from "./mail-message.ts";
import { foldCase, isUncertain, SearchableText, splitWords } from "./searchable-text.ts";

/** The addresses and the names of a header such as `"Ann, Bob" <b@x.com>, c@y.org`. */
export class AddressHeader {
  /** Names and addresses, searched for words. */
  readonly all: SearchableText;
  private mailboxes: Mailboxes | undefined;

  constructor(header: string) {
    const escaped = header.includes("\\") ? header.replace(/\\["\\]/g, "") : header;
    this.all = new SearchableText(escaped.replace(/\s{2,}|[^\S ]/g, " "));
  }

  /** The addresses, and the text around them. */
  get parsed(): Mailboxes {
    this.mailboxes ??= parseMailboxes(this.all.text);
    return this.mailboxes;
  }
}

interface Mailboxes {
  readonly addresses: readonly string[];
  /** The header without its addresses; a name may look like one. */
  readonly names: SearchableText;
  /** The addresses in the form that `canonicalAddress` gives. */
  readonly canonical: readonly string[];
  /** The words of each address's domain, with a space before each. */
  readonly domains: readonly string[];
  /** True when a domain is in its ASCII form, `xn--…`. */
  readonly hasAsciiForm: boolean;
}

function parseMailboxes(header: string): Mailboxes {
  const addresses: string[] = [];
  const rest = header.replace(MAILBOX, (_, quoted = "", angled = "", bare = "") => {
    if (quoted) return quoted;
    addresses.push(angled || bare);
    return " | ";
  });
  return {
    addresses,
    // Part of an address may be what could not be read.
    names: new SearchableText(isUncertain(header) ? `${rest} \ufffd` : rest),
    canonical: addresses.map(canonicalAddress),
    domains: addresses.map(
      (address) => ` ${splitWords(address.slice(address.lastIndexOf("@") + 1)).join(" ")}`,
    ),
    hasAsciiForm: addresses.some((address) => address.includes("xn--")),
  };
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

/** The part from a plus on, which an address may lack: `+news`. */
export const findTag = (address: string): string => /\+.*(?=@[^@]*$)/.exec(address)?.[0] ?? "";

export const isGmail = (address: string): boolean => /@(?:gmail|googlemail)\.com$/.test(address);

/** The account's own addresses, each in one form; undefined when they are not known. */
export const ownAddresses = ({ me }: MatchOptions): ReadonlySet<string> | undefined =>
  me && new Set(me.map((address) => canonicalAddress(foldCase(address))));
