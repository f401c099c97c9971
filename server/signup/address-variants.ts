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
export function listAddressVariants(text: string): readonly string[] {
  const [, local = "", domain = ""] = /^(.+)@([^@]+?)[.。．｡]?$/u.exec(text.trim()) ?? [];
  // Of other texts, node would make an IP address of a number, read `%41` as a letter, and cut off `/x`.
  const isConverted = /[^\p{ASCII}]/u.test(domain) && !/[^\P{ASCII}A-Za-z0-9.-]/u.test(domain);
  const ascii = isConverted ? domainToASCII(domain) : domain.toLowerCase();
  if (!v.is(AddressSchema, `${local}@${ascii}`)) return [];
  // Only a domain with xn-- has a second spelling, if that means anything.
  const unicode = (ascii.includes("xn--") && domainToUnicode(ascii)) || ascii;
  return [
    ...new Set([ascii, unicode, domain].map((spelling) => `${local}@${spelling}`.toLowerCase())),
  ];
}

const AddressSchema = v.pipe(v.string(), email());
