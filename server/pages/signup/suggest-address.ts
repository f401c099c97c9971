import { isWithin } from "../../../schemas/common.ts";

const PROVIDERS = ["gmail.com", "hotmail.com", "icloud.com", "outlook.com", "yahoo.com"];

/** Mail providers whose names are one letter from those. */
const SIMILAR_PROVIDERS = ["mail.com", "ymail.com"];

/** Suggests an address if the domain is one typing error away from a large provider's. */
export function suggestAddress(email: string): string | undefined {
  const [local = "", domain = "", ...rest] = email.trim().toLowerCase().split("@");
  const isKnown = [...PROVIDERS, ...SIMILAR_PROVIDERS].includes(domain);
  if (local === "" || rest.length > 0 || isKnown) return undefined;
  const provider = PROVIDERS.find((name) => isWithin(1, domain, name));
  return provider && `${email.trim().slice(0, local.length)}@${provider}`;
}
