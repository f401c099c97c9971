import type { Findings } from "../findings.ts";
import type { Path } from "../path.ts";
import { literal, quote } from "./literal.ts";

const DOMAIN = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u;
/** RFC 5322 atext and dots, and letters of any script; no quoted local parts. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]*$/u;
/** Of those, what Gmail does not read as a space or an operator. */
const PLAIN_LOCAL_PART = /^[\p{L}\p{M}\p{N}_.+'=&-]*$/u;

interface Address {
  /** Empty for the `@domain` form. */
  readonly local: string;
  readonly domain: string;
}

function parseAddress(text: string): Address | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  const valid = at >= 0 && LOCAL_PART.test(local) && DOMAIN.test(domain) && !domain.includes("..");
  return valid ? { local: local === "*" ? "" : local, domain } : undefined;
}

/** The address in `Bob <bob@x.com>`, or the text itself. */
const withoutDisplayName = (text: string): string =>
  /^[^<>]*<\s*([^<>\s]+)\s*>$/.exec(text)?.[1] ?? text;

/** Cuts at commas, semicolons, `|`, OR and spaces, but not inside quotes or a display form. */
function listedAddresses(text: string): Address[] | undefined {
  const items = text.match(/(?:"[^"]*"|[^"<>,;|])*<[^<>]*>|[^,;|]+/g) ?? [];
  const parts = items
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .flatMap((item) => (item.includes("<") ? [item] : item.split(/\s+(?:OR\s+)?/)));
  const addresses = parts.map((part) => parseAddress(withoutDisplayName(part)));
  return addresses.every((address) => address !== undefined) ? addresses : undefined;
}

/** What an item of `from` or `to` asks for. */
function readAddresses(text: string): Address[] | undefined {
  const listed = listedAddresses(text);
  if (listed) return listed;
  // "Doe, Jane <jane@x.com>": the comma belongs to the name.
  const display = /^([^<>@]*)<[^<>]*>$/.test(text);
  const address = display ? parseAddress(withoutDisplayName(text)) : undefined;
  return address && [address];
}

/**
 * The search terms of one normalised item of `from` or `to`: the address, several where the item
 * holds several, or a phrase, since Gmail looks at senders' names too.
 *
 * @returns nothing when it had to be refused.
 */
export function addressTerms(text: string, path: Path, findings: Findings): readonly string[] {
  if (/^[-!]/.test(text)) {
    findings.refuse(
      path,
      `must not start with ${text.charAt(0)}; to keep mail out, use does_not_have, as in from:boss@example.com`,
    );
    return [];
  }
  const addresses = readAddresses(text);
  if (!addresses) return nameTerm(text, path, findings);

  const terms = addresses.map(({ local, domain }) => {
    const address = `${local}@${domain}`;
    return PLAIN_LOCAL_PART.test(local) ? address : quote(address);
  });
  if (terms.length > 1) {
    findings.info("several-addresses", path, `read as ${terms.length} items: ${terms.join(", ")}`);
  } else if (terms[0] !== text && terms[0] !== quote(text)) {
    findings.info("address-taken", path, `read as ${terms[0]}`);
  }
  for (const address of addresses) remarkOn(address, path, findings);
  return terms;
}

function nameTerm(text: string, path: Path, findings: Findings): readonly string[] {
  const term = literal(text, path, findings);
  if (term === undefined) return [];
  const phrase = term.startsWith('"') ? term : quote(term);
  findings.info(
    "not-an-address",
    path,
    `is no address or @domain, so it is searched as the phrase ${phrase}, in names too`,
  );
  return [phrase];
}

function remarkOn({ local, domain }: Address, path: Path, findings: Findings): void {
  if (local === "" && !domain.includes(".")) {
    findings.warn("top-level-domain", path, `@${domain} matches everyone whose address ends so`);
  }
  if (/[^\p{ASCII}]/u.test(domain)) {
    findings.info(
      "international-domain",
      path,
      `mail may carry ${domain} in its ASCII form, xn--…; add that form too`,
    );
  }
}
