/** Says what is under way. */
export function showProgress(form: HTMLFormElement, text: string): void {
  setBusy(form, true);
  showStatus(form, text, "status progress");
}

/** Says what went wrong, and lets go on. */
export function showFailure(form: HTMLFormElement, text: string): void {
  setBusy(form, false);
  showStatus(form, text, "status failure");
}

/** Puts the thanks in the place of the form, and the focus on them, for the button is gone. */
export function showThanks(form: HTMLFormElement, text: string): void {
  const thanks = document.createElement("p");
  thanks.className = "thanks";
  thanks.tabIndex = -1;
  thanks.textContent = text;
  form.replaceWith(thanks);
  thanks.focus();
}

/** Not `disabled`, which would take the focus away, nor a busy form, whose status is not read out. */
function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  form.querySelector("button")?.setAttribute("aria-disabled", String(isBusy));
}

function showStatus(form: HTMLFormElement, text: string, className: string): void {
  const status = form.querySelector("[role=status]");
  if (!status) return;
  status.className = className;
  status.textContent = text;
}
