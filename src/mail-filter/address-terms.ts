import type { Findings, Path } from "../issues.ts";
import { type Address, addressTerm, isNegated, isWholeDomain } from "./address.ts";
import { readAddressList } from "./address-list.ts";
import { quote } from "./literal.ts";
import { textTerm } from "./text-term.ts";

/**
 * The search terms of one normalised item of `from` or `to`: the address, several where the item
 * holds several, or a phrase, since Gmail looks at senders' names too.
 *
 * @returns nothing when it had to be refused.
 */
export function addressTerms(text: string, path: Path, findings: Findings): readonly string[] {
  if (/^[-!]/.test(text)) {
    findings.refuse(path, `must not start with ${text.charAt(0)}; ${USE_DOES_NOT_HAVE}`);
    return [];
  }
  const mailboxes = readAddressList(text);
  if (!mailboxes) return nameTerm(text, path, findings);

  const negated = mailboxes.find((box) => isNegated(box.address) || /^[-!]/.test(box.text));
  if (negated) {
    const sign = /[-!]/.exec(negated.text)?.[0];
    findings.refuse(
      path,
      `must not have ${sign} before an address, as in ${negated.text}; ${USE_DOES_NOT_HAVE}`,
    );
    return [];
  }
  const terms = [...new Set(mailboxes.map(({ address }) => addressTerm(address)))];
  if (terms.length > 1) {
    findings.info("several-addresses", path, `read as ${terms.length} items: ${terms.join(", ")}`);
  } else if (mailboxes.every(({ address }) => `${address.local}@${address.domain}` !== text)) {
    findings.info("address-taken", path, `read as ${terms.join()}`);
  }
  for (const { address } of mailboxes) remarkOn(address, path, findings);
  return terms;
}

const USE_DOES_NOT_HAVE = "to keep mail out, use does_not_have, as in from:boss@example.com";

function nameTerm(text: string, path: Path, findings: Findings): readonly string[] {
  const term = textTerm(text, path, findings);
  if (term === undefined) return [];
  const phrase = term.startsWith('"') ? term : quote(term);
  findings.info(
    "not-an-address",
    path,
    `is no address or @domain, so it is searched as the phrase ${phrase}, in names too`,
  );
  return [phrase];
}

function remarkOn(address: Address, path: Path, findings: Findings): void {
  const { local, domain } = address;
  if (local === "*") {
    findings.info("address-taken", path, `read as @${domain}`);
  } else if (isWholeDomain(address) && local !== "") {
    findings.warn(
      "local-part-ignored",
      path,
      `Gmail ignores ${local} and takes all mail of @${domain}`,
    );
  }
  if (local.includes("*") && !isWholeDomain(address)) {
    findings.info(
      "operator-taken-literally",
      path,
      "* is taken literally here; Gmail has no wildcards and finds whole words only",
    );
  }
  if (isWholeDomain(address) && !domain.includes(".")) {
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
