/** The filled-in fields of the form. */
export function readFields(form: HTMLFormElement): Readonly<Record<string, string>> {
  const data = new FormData(form);
  const fields = Object.entries(API_FIELDS).map(([name, field]) => [
    field,
    String(data.get(name) ?? "").trim(),
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

/** Shows the text field for "other" while that is selected. */
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
    (type !== "email" || (!validity.typeMismatch && EMAIL.test(text)))
  );
}

/** Browsers accept a domain without a dot. */
const EMAIL = /@[^@]+\.[^@]+$/;
