import { decodeText, formatNumber } from "../../../src/text.ts";
import { afterPointerUp, getControlName, onFileDrop } from "./browser-events.ts";
import { findField, findListOf, MAX_ROWS, splitLines } from "./form-values.ts";
import type { History } from "./history.ts";
import { applyIntent } from "./intents.ts";
import { tokenTextOf } from "./keyboard.ts";
import type { AnyLiveForm } from "./live-form.ts";

/* Reads files and pastes into a form. */

/** Ten times the size of a thousand filters. */
const MAX_FILE_BYTES = 10_000_000;

/** The control for any text. With scripts, it is not part of the form. */
export const PASTE_BOX = "paste";

interface ReadOptions {
  /** The control or cell that was pasted into. */
  readonly field?: string;
  readonly fileName?: string;
  /** The history before a paste that its control also receives, so failing to read it is no error. */
  readonly before?: History;
}

/** @returns whether the text was read. */
export async function readText(
  live: AnyLiveForm,
  text: string,
  { field = "", fileName, before }: ReadOptions = {},
): Promise<boolean> {
  const reader = await live.loadReader().catch(() => undefined);
  const form = before?.form ?? live.readControls();
  const outcome = reader ? await reader.readText(text, field, form, fileName) : NOT_LOADED;
  if (outcome && "change" in outcome) {
    const { change, notice, details } = outcome;
    // An earlier result does not describe the text. Without a notice, the form only asks a question.
    if (notice !== "") live.lastValid = undefined;
    live.change(change, notice, { before, details });
    return true;
  }
  if (outcome?.isOpen) live.tell({ text: "", details: [outcome.reason] });
  else if (!before) live.reject(outcome?.reason ?? "This cannot be read.");
  return false;
}

const NOT_LOADED = {
  reason: "This page’s reader did not load. Check your connection and try again.",
  isOpen: false,
};

/** Opens files that are dropped on the page or chosen. */
export function watchFiles(live: AnyLiveForm): void {
  const open = async ([file]: readonly File[]) => {
    if (!file) return;
    const { name: fileName, size } = file;
    const bytes = size <= MAX_FILE_BYTES && (await file.arrayBuffer().catch(() => undefined));
    if (bytes)
      await readText(live, decodeText(new Uint8Array(bytes), { fatal: false }), { fileName });
    else live.reject(`${fileName} is too large, or it is a folder.`);
  };
  onFileDrop(open);
  live.root.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.type === "file")) return;
    void open([...(target.files ?? [])]);
    target.value = "";
  });
}

/** Reads the paste box at a paste, at Enter, and when it is left. */
export function watchPasteBox(live: AnyLiveForm): void {
  const read = async (box: HTMLTextAreaElement) => {
    const { value } = box;
    if (value.trim() === "") return;
    // Leaving the box must not read the text again.
    box.value = "";
    if (!(await readText(live, value)) && box.value === "") box.value = value;
  };
  const listen = (event: Event) => {
    const { target: box } = event;
    if (!(box instanceof HTMLTextAreaElement && box.id === PASTE_BOX && isEndOfText(event))) return;
    event.preventDefault();
    afterPointerUp(() => read(box));
  };
  for (const type of ["change", "input", "keydown"]) live.root.addEventListener(type, listen);
}

function isEndOfText(event: Event): boolean {
  if (event instanceof KeyboardEvent)
    return event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (event instanceof InputEvent) return /^insertFrom(?:Paste|Drop)/.test(event.inputType);
  return event.type === "change";
}

/** Reads what is pasted into a control, or anywhere else on the page. */
export function watchPastes(live: AnyLiveForm): void {
  document.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    const text = clipboardData?.getData("text/plain") ?? "";
    const isInRoot = target instanceof Node && live.root.contains(target);
    const name = isInRoot ? getControlName(target) : "";
    if (text.trim() === "") return;
    if (name !== "") pasteInto(live, name, event, text);
    else if (!(target instanceof Element && target.closest(CONTROLS))) {
      event.preventDefault();
      void readText(live, text);
    }
  });
}

const CONTROLS = "input, textarea, select, [contenteditable]";

function pasteInto(live: AnyLiveForm, name: string, event: ClipboardEvent, text: string): void {
  const { fields } = live.page;
  const isCell = findListOf(fields, name, "grid") !== undefined;
  const control = tokenTextOf(event.target);
  const tokens = control && (findField(fields, name)?.split ?? splitLines)(text);
  if (isCell && /[\t\r\n]/.test(text.trim())) {
    event.preventDefault();
    void readText(live, text, { field: name });
  } else if (control && tokens && (tokens.length > 1 || /[\r\n]/.test(text))) {
    event.preventDefault();
    pasteTokens(live, control, tokens);
  } else if (!isCell && text.length < MAX_FILE_BYTES) {
    const before = { ...live.history, form: live.readControls() };
    // Let the browser insert the text first.
    setTimeout(() => readText(live, text, { field: name, before }));
  }
}

/** Adds tokens to a list, up to its limit: rendering more would be slow. */
function pasteTokens(
  live: AnyLiveForm,
  control: HTMLTextAreaElement,
  tokens: readonly string[],
): void {
  if (tokens.length >= MAX_ROWS) {
    const [count, max] = [tokens.length, MAX_ROWS - 1].map(formatNumber);
    live.reject(`You pasted ${count} lines; a list takes at most ${max}.`);
    return;
  }
  const before = { ...live.history, form: live.readControls() };
  const { name, selectionStart, selectionEnd } = control;
  control.setRangeText(tokens.join("\n"), selectionStart, selectionEnd, "end");
  live.change((form) => applyIntent(form, `add ${name}`, live.page), "Pasted.", { before });
}
