import { type Fields, findListOf } from "./form-values.ts";

/* Keys that do what a button does. */

/** The text control of a token field that the event is in. */
export const tokenTextOf = (target: EventTarget | null): HTMLTextAreaElement | undefined =>
  target instanceof HTMLTextAreaElement && target.matches(".token-text") ? target : undefined;

/** The intent of a key: `add args`. Arrow keys have none and move the focus. */
export function intentOfKey(event: KeyboardEvent, fields: Fields): string | undefined {
  const { target, key, isComposing, altKey, ctrlKey, metaKey } = event;
  if (isComposing || !(target instanceof HTMLElement)) return undefined;
  if (!(altKey || ctrlKey || metaKey)) {
    const text = tokenTextOf(target);
    const intent = text ? intentInText(event, text) : intentOnChip(event, target);
    if (intent !== undefined) return intent;
  }
  if (key === "Escape")
    return target.closest(".item")?.querySelector<HTMLButtonElement>("[value^='close ']")?.value;
  const name = target.getAttribute("name") ?? "";
  const grid = findListOf(fields, name, "grid");
  if (grid !== undefined) return intentInCell(event, name, grid);
  const list = findListOf(fields, name, "map");
  if (key !== "Enter" || list === undefined) return undefined;
  event.preventDefault();
  return `add ${list}`;
}

/** As in a spreadsheet, Enter and the arrows change rows. In the last row, Enter adds one. */
function intentInCell(event: KeyboardEvent, name: string, grid: string): string | undefined {
  const { key, target } = event;
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[key];
  if (step === undefined || !(target instanceof HTMLElement)) return undefined;
  const column = name.slice(name.lastIndexOf("."));
  const table = target.closest("table");
  const cells = [...(table?.querySelectorAll<HTMLElement>(`[name$="${column}"]`) ?? [])];
  const next = cells[cells.indexOf(target) + step];
  if (next || key === "Enter") event.preventDefault();
  next?.focus();
  const row = target.closest("tr")?.querySelectorAll<HTMLInputElement>("input, textarea") ?? [];
  const isFilled = [...row].some(({ value }) => value !== "");
  return !next && key === "Enter" && isFilled ? `add ${grid}` : undefined;
}

function intentInText(event: KeyboardEvent, text: HTMLTextAreaElement): string | undefined {
  const { key } = event;
  const { name, value, selectionEnd, selectionStart } = text;
  const isEmail = text.inputMode === "email";
  const isAtEnd = selectionStart === value.length;
  // People type a space after a comma; drop it.
  if (key === " " && isEmail && value === "") event.preventDefault();
  const completesToken =
    key === "Enter" ||
    (key === "Escape" && value !== "") ||
    (key === "," && isEmail && isAtEnd && COMPLETE_ADDRESS.test(value));
  if (completesToken) {
    event.preventDefault();
    return `add ${name}`;
  }
  const before = text.closest("li")?.previousElementSibling?.querySelector("button");
  if (!(before instanceof HTMLButtonElement) || selectionEnd !== 0) return undefined;
  if (key === "ArrowLeft") {
    event.preventDefault();
    before.focus();
  }
  if (key !== "Backspace" || value !== "") return undefined;
  event.preventDefault();
  return before.value;
}

const COMPLETE_ADDRESS = /^\S*@\S+\.\w+$/;

/** Tab stops at a token field once; arrow keys move between its chips. */
function intentOnChip(event: KeyboardEvent, target: HTMLElement): string | undefined {
  const { key } = event;
  const chip = target.closest(".tokens > .chip");
  if (!chip) return undefined;
  const next = {
    ArrowLeft: chip.previousElementSibling,
    ArrowRight: chip.nextElementSibling,
    Home: chip.parentElement?.firstElementChild,
    End: chip.parentElement?.lastElementChild,
  }[key];
  if (next) {
    event.preventDefault();
    next.querySelector<HTMLElement>("button, textarea")?.focus();
  }
  if (key !== "Backspace" && key !== "Delete") return undefined;
  event.preventDefault();
  return chip.querySelector<HTMLButtonElement>(".remove")?.value;
}
