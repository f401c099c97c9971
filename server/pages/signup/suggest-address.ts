const PROVIDERS = ["gmail.com", "hotmail.com", "icloud.com", "outlook.com", "yahoo.com"];

/** Providers of mail whose names are one letter from those. */
const NEIGHBOURS = ["mail.com", "ymail.com"];

/** Suggests an address if the domain is one typing error away from a large provider's. */
export function suggestAddress(email: string): string | undefined {
  const [local = "", domain = "", ...rest] = email.trim().toLowerCase().split("@");
  if (local === "" || rest.length > 0 || NEIGHBOURS.includes(domain)) return undefined;
  const meant = PROVIDERS.find((provider) => isOneErrorFrom(domain, provider));
  return meant && `${email.trim().slice(0, local.length)}@${meant}`;
}

/** Whether a letter is wrong, missing or too many, or two neighbours are swapped. */
function isOneErrorFrom(typed: string, meant: string): boolean {
  if (typed === meant) return false;
  let start = 0;
  while (typed[start] === meant[start]) start += 1;
  const [a, b] = [typed.slice(start), meant.slice(start)];
  const isSwapped = a.startsWith(`${b[1]}${b[0]}`) && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
