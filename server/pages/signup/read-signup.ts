/** The filled-in fields of the form, by the API's names. */
export function readSignup(form: HTMLFormElement): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const text = (name: string) =>
    String(data.get(name) ?? "")
      .replace(/\s+/g, " ")
      .trim();
  const fields = {
    email: withAsciiDomain(text("email")),
    name: text("name"),
    ctaSource: text("ctaSource"),
    referral: text("referral"),
    referralOther: text("referralOther"),
    honeypot: text("website"),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
}

/**
 * An address with its domain as DNS has it (UTS 46). What is no domain stays: a URL would lose `/x`, and
 * read `%41` as a letter.
 */
function withAsciiDomain(email: string): string {
  const [, local, domain] = /^(\p{ASCII}+)@((?:[^\p{ASCII}]|[A-Za-z0-9.-])+)$/u.exec(email) ?? [];
  const url = `http://${domain}`;
  if (domain === undefined || /^\p{ASCII}*$/u.test(domain) || !URL.canParse(url)) return email;
  return `${local}@${new URL(url).hostname}`;
}
