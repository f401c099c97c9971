/** The form's controls, and the fields of the API that they are. */
const FIELDS = {
  email: "email",
  name: "name",
  ctaSource: "ctaSource",
  referral: "referral",
  referralOther: "referralOther",
  website: "honeypot",
} as const;

/** What the form says, without what was left blank. */
export function readFields(form: HTMLFormElement): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const fields = Object.entries(FIELDS).map(([name, field]) => [
    field,
    String(data.get(name) ?? "").trim(),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => value !== ""));
}

/** Shows the field for what "other" stands for while that is chosen. */
export function askWhatOther(form: HTMLFormElement): void {
  const choice = form.querySelector<HTMLSelectElement>("[name=referral]");
  const place = form.querySelector<HTMLElement>(".other");
  const other = place?.querySelector("input");
  if (!choice || !place || !other) return;
  const update = () => {
    place.hidden = choice.value !== "other";
    other.disabled = place.hidden;
  };
  choice.addEventListener("change", update);
  // The browser may have kept the choice of an earlier visit.
  update();
}

/**
 * Shows beside each field whether something is wrong with it, and goes to the first that is so.
 *
 * @returns whether all is well.
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

/** A domain has a dot, which browsers do not ask for. */
const EMAIL = /@[^@]+\.[^@]+$/;

function isFilledIn({ value, required, type, validity, dataset }: HTMLInputElement): boolean {
  const text = value.trim();
  if (text === "") return !required;
  // As the API counts: in code points.
  const length = [...text].length;
  return (
    length >= Number(dataset.minLength) &&
    length <= Number(dataset.maxLength) &&
    (type !== "email" || (!validity.typeMismatch && EMAIL.test(text)))
  );
}
