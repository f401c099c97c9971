import { domainToASCII, domainToUnicode } from "node:url";
import * as v from "valibot";
import { email } from "../../schemas/common.ts";

/**
 * Lists the spellings of an address. An internationalised domain has two: browsers send
 * `info@xn--mller-kva.example` for `info@müller.example`.
 *
 * @param text as a person types it: capitals, full-width dots and a final dot are fine.
 * @returns lower-case spellings, the stored ASCII one first. Rows added by hand and listmonk may have
 * the others. The list is empty for an invalid address, such as one with a local part outside ASCII.
 */
export function listAddressVariants(text: string): readonly string[] {
  const [, local = "", domain = ""] = /^(.+)@([^@]+?)[.。．｡]?$/u.exec(text.trim()) ?? [];
  // In other values Node would turn numbers into IP addresses, decode `%41` and cut off `/x`.
  const isConverted = /[^\p{ASCII}]/u.test(domain) && !/[^\P{ASCII}A-Za-z0-9.-]/u.test(domain);
  const ascii = isConverted ? domainToASCII(domain) : domain.toLowerCase();
  if (!v.is(AddressSchema, `${local}@${ascii}`)) return [];
  // The result is empty if what follows xn-- is invalid.
  const unicode = (ascii.includes("xn--") && domainToUnicode(ascii)) || ascii;
  return [
    ...new Set([ascii, unicode, domain].map((spelling) => `${local}@${spelling}`.toLowerCase())),
  ];
}

const AddressSchema = v.pipe(v.string(), email());
