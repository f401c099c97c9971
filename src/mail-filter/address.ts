import { shapeOf } from "./characters.ts";
import { quote } from "./literal.ts";

/** These three are for a text's shape. */
const DOMAIN = /^[a-z0-9é](?:[a-z0-9é.-]*[a-z0-9é])?$/i;
/** RFC 5322 atext and dots, and letters of any script; no quoted local parts. */
const LOCAL_PART = /^[\wé.!#$%&'*+/=?^`{|}~-]*$/;
/** Of those, what Gmail does not read as a space or an operator. */
const PLAIN_LOCAL_PART = /^(?!-)[\wé.+'=&-]*$/;

/** An address as it is written, `bob@x.com` or `@x.com`. */
export interface Address {
  readonly local: string;
  readonly domain: string;
}

/** The address that a text is, from its first character to its last. */
export function readAddress(text: string): Address | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  const isValid =
    at >= 0 &&
    LOCAL_PART.test(shapeOf(local)) &&
    DOMAIN.test(shapeOf(domain)) &&
    !domain.includes("..");
  return isValid ? { local, domain } : undefined;
}

/** Whether nothing before the @ counts: `*@x.com`, as Gmail reads only letters, digits, _ and &. */
export const isWholeDomain = ({ local }: Address): boolean => !/[\w&]/.test(shapeOf(local));

/** Whether Gmail would take an address for its opposite. */
export const isNegated = ({ local }: Address): boolean => /^[-!]/.test(local);

/** The search term for an address, in quotes where Gmail would misread a character. */
export function addressTerm(address: Address): string {
  const { local, domain } = address;
  if (isWholeDomain(address)) return `@${domain}`;
  const text = `${local}@${domain}`;
  return PLAIN_LOCAL_PART.test(shapeOf(local)) ? text : quote(text);
}
