const PROVIDERS = ["gmail.com", "hotmail.com", "icloud.com", "outlook.com", "yahoo.com"];

/** Providers of mail whose names are one letter from those. */
const SIMILAR_PROVIDERS = ["mail.com", "ymail.com"];

/** Suggests an address if the domain is one typing error away from a large provider's. */
export function suggestAddress(email: string): string | undefined {
  const [local = "", domain = "", ...rest] = email.trim().toLowerCase().split("@");
  if (local === "" || rest.length > 0 || SIMILAR_PROVIDERS.includes(domain)) return undefined;
  const provider = PROVIDERS.find((name) => isOneErrorFrom(domain, name));
  return provider && `${email.trim().slice(0, local.length)}@${provider}`;
}

/** Whether a letter is wrong, missing or too many, or two neighbours are swapped. */
function isOneErrorFrom(typed: string, provider: string): boolean {
  if (typed === provider) return false;
  let start = 0;
  while (typed[start] === provider[start]) start += 1;
  const [a, b] = [typed.slice(start), provider.slice(start)];
  const isSwapped = a.startsWith(`${b[1]}${b[0]}`) && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
