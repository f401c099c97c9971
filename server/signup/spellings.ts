import { domainToASCII, domainToUnicode } from "node:url";
import * as v from "valibot";
import { email } from "../../schemas/common.ts";

/**
 * The spellings of an address. A domain with letters outside ASCII has two: browsers send
 * `info@xn--mller-kva.example` for `info@müller.example`, as DNS has it.
 *
 * @param text as a person writes it, also with capitals, a full-width dot or a dot at its end.
 * @returns lower-cased, and first the spelling in ASCII, which is stored. The others may stand in
 * listmonk, or in a row that was made by hand. None for a text that is no address; a local part
 * outside ASCII is none that a signup takes.
 */
export function listSpellings(text: string): readonly string[] {
  const [, local, domain] = /^(.+)@([^@]+?)[.。．｡]?$/u.exec(text.trim()) ?? [];
  if (local === undefined || domain === undefined) return [];
  const ascii = asciiDomain(domain);
  if (!v.is(AddressSchema, `${local}@${ascii}`)) return [];
  // Only a domain with xn-- has a second spelling, and node would turn a number into an IP address.
  const unicode = ascii.includes("xn--") ? domainToUnicode(ascii) : ascii;
  const domains = [ascii, unicode === "" ? ascii : unicode, domain];
  return [...new Set(domains.map((spelling) => `${local}@${spelling}`.toLowerCase()))];
}

const AddressSchema = v.pipe(v.string(), email());

/** node would read `%41` as a letter, and cut off `/x`. */
const DOMAIN = /^(?:[^\p{ASCII}]|[A-Za-z0-9.-])+$/u;

/** @returns "" for what is no domain. */
function asciiDomain(domain: string): string {
  if (/^\p{ASCII}*$/u.test(domain)) return domain.toLowerCase();
  return DOMAIN.test(domain) ? domainToASCII(domain) : "";
}
