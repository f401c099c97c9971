/* Keyboard control of a token field: Tab stops once, and arrow keys move between the chips. */

/** The text control that the event is in. */
export const tokenTextOf = (target: EventTarget | null): HTMLTextAreaElement | undefined =>
  target instanceof HTMLTextAreaElement && target.matches(".token-text") ? target : undefined;

/** What a key asks for, as a button would: `add args`. Arrows ask for nothing and move the focus. */
export function tokenCommand(event: KeyboardEvent): string | undefined {
  const text = tokenTextOf(event.target);
  if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  return text ? commandInText(event, text) : commandOnChip(event);
}

function commandInText(event: KeyboardEvent, text: HTMLTextAreaElement): string | undefined {
  const { key } = event;
  const { name, value, selectionEnd, selectionStart } = text;
  const isEmail = text.inputMode === "email";
  const isAtEnd = selectionStart === value.length;
  // After a comma people type a space.
  if (key === " " && isEmail && value === "") event.preventDefault();
  const ends =
    key === "Enter" ||
    (key === "Escape" && value !== "") ||
    (key === "," && isEmail && isAtEnd && COMPLETE_ADDRESS.test(value));
  if (ends) {
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

/** An address to which nothing is missing. */
const COMPLETE_ADDRESS = /^\S*@\S+\.\w+$/;

function commandOnChip(event: KeyboardEvent): string | undefined {
  const { target, key } = event;
  const chip = target instanceof Element ? target.closest(".tokens > .chip") : null;
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
