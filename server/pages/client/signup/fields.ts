/** The filled-in fields of the form. */
export function readFields(form: HTMLFormElement): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const fields = Object.entries(API_FIELDS).map(([name, field]) => [
    field,
    (name === "email" ? withAsciiDomain : String)(String(data.get(name) ?? "").trim()),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

/** The API's fields by the names of the form's controls. */
const API_FIELDS = {
  email: "email",
  name: "name",
  ctaSource: "ctaSource",
  referral: "referral",
  referralOther: "referralOther",
  website: "honeypot",
} as const;

/**
 * An address with its domain as DNS has it. Chromium gives an international one so, and Firefox as it
 * was typed. What is no domain stays: a URL would lose `/x`, and read `%41` as a letter.
 */
function withAsciiDomain(email: string): string {
  const [, local, domain] = /^(\p{ASCII}+)@((?:[^\p{ASCII}]|[A-Za-z0-9.-])+)$/u.exec(email) ?? [];
  const url = `http://${domain}`;
  if (domain === undefined || /^\p{ASCII}*$/u.test(domain) || !URL.canParse(url)) return email;
  return `${local}@${new URL(url).hostname}`;
}

/** Shows the text field for "other" while that is selected. */
export function askWhatOther(form: HTMLFormElement): void {
  const choice = form.querySelector<HTMLSelectElement>("[name=referral]");
  const question = form.querySelector<HTMLElement>(".other");
  const other = question?.querySelector("input");
  if (!choice || !question || !other) return;
  const update = () => {
    question.hidden = choice.value !== "other";
    other.disabled = question.hidden;
  };
  choice.addEventListener("change", update);
  // The browser may have restored the selection of an earlier visit.
  update();
}

/**
 * Shows a message beside each invalid field and focuses the first.
 *
 * @returns whether all fields are valid.
 */
export function checkFields(form: HTMLFormElement): boolean {
  const wrong = [...form.querySelectorAll<HTMLElement>("[data-problem-of]")].filter(
    (problem) => !check(problem),
  );
  controlOf(wrong[0])?.focus();
  return wrong.length === 0;
}

function check(problem: HTMLElement): boolean {
  const control = controlOf(problem);
  if (!control) return true;
  const isRight = control.disabled || isFilledIn(control);
  problem.hidden = isRight;
  control.ariaInvalid = String(!isRight);
  if (isRight) control.removeAttribute("aria-describedby");
  else {
    control.setAttribute("aria-describedby", problem.id);
    control.addEventListener("input", () => check(problem), { once: true });
  }
  return isRight;
}

function controlOf(problem: HTMLElement | undefined): HTMLInputElement | undefined {
  const control = document.getElementById(problem?.dataset.problemOf ?? "");
  return control instanceof HTMLInputElement ? control : undefined;
}

function isFilledIn({ value, required, type, validity, dataset }: HTMLInputElement): boolean {
  const text = value.trim();
  if (text === "") return !required;
  // The API counts code points.
  const length = [...text].length;
  return (
    length >= Number(dataset.minLength) &&
    length <= Number(dataset.maxLength) &&
    !(dataset.rejects && new RegExp(dataset.rejects, "i").test(text.normalize("NFKC"))) &&
    (type !== "email" ||
      (EMAIL.test(text) && !(validity.typeMismatch && withAsciiDomain(text) === text)))
  );
}

/** Browsers accept a domain without a dot. */
const EMAIL = /@[^@]+\.[^@]+$/;
