/**
 * Puts the focus where the keyboard goes on after a button has changed a form's rows: into the new
 * row, or onto the button that adds one where a row was taken out.
 *
 * @param command what the button says, `add filters[0].from` or `remove filters[1]`.
 */
export function focusAfter(form: HTMLFormElement, command: string): void {
  const [verb, name = ""] = command.split(" ", 2);
  if (verb === "add") newRow(form, name)?.focus();
  else if (verb === "remove") addButton(form, name.replace(/\[\d+\]$/, ""))?.focus();
  else form.querySelector<HTMLElement>("input, select, textarea")?.focus();
}

function newRow(form: HTMLFormElement, list: string): HTMLElement | undefined {
  const controls = [...form.querySelectorAll<HTMLInputElement>("[name]")];
  const rows = controls.filter(({ name }) => name.startsWith(`${list}[`));
  const row = rows
    .at(-1)
    ?.name.slice(list.length)
    .match(/^\[\d+\]/)?.[0];
  return rows.find(({ name }) => row !== undefined && name.startsWith(`${list}${row}`));
}

const addButton = (form: HTMLFormElement, list: string): HTMLElement | undefined =>
  [...form.querySelectorAll("button")].find(({ value }) => value === `add ${list}`);
