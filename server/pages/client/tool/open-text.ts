import { decodeText } from "../../../../src/text.ts";
import { editList, type SubmittedForm } from "../../form/form-data.ts";

/** Lines that were pasted into a row of a list of texts. */
export interface PastedLines {
  /** The list's name, `filters[0].from`. */
  readonly list: string;
  /** The lines after the first, which is for the row itself. */
  readonly lines: readonly string[];
  writeFirst(): void;
}

/** The name of a row, `filters[0].from[1]`, with its list as the first group. */
const ROW = /^(.+)\[\d+\]$/;

/** Turns each line that is pasted into a row of a list into a row; browsers would join them. */
export function pasteLists(form: HTMLFormElement, onLines: (pasted: PastedLines) => void): void {
  form.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    if (!(target instanceof HTMLInputElement) || !target.closest("ul.rows")) return;
    const list = ROW.exec(target.name)?.[1];
    const text = clipboardData?.getData("text/plain") ?? "";
    if (list === undefined || !/[\r\n]/.test(text)) return;
    event.preventDefault();
    const [first = "", ...others] = splitLines(text);
    const { selectionStart, selectionEnd, value } = target;
    const writeFirst = () => {
      const end = value.length;
      target.setRangeText(first, selectionStart ?? end, selectionEnd ?? end, "end");
      target.dispatchEvent(new Event("input", { bubbles: true }));
    };
    if (others.length > 0) onLines({ list, lines: others, writeFirst });
    else writeFirst();
  });
}

/** The data of a form with pasted lines as new rows. */
export const withRows = (data: SubmittedForm, { list, lines }: PastedLines): SubmittedForm =>
  editList(data, list, (rows) => [...rows.filter((row) => row !== ""), ...lines]);

const splitLines = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Calls back with a text that was pasted into a field; the field gets it too.
 *
 * @param save is called before the field has the text.
 */
export function onPastedText(
  form: HTMLFormElement,
  save: () => () => void,
  open: (text: string, field: string, restore: () => void) => void,
): void {
  form.addEventListener("paste", ({ clipboardData, target }) => {
    const text = clipboardData?.getData("text/plain") ?? "";
    const field = target instanceof Element && target.getAttribute("name");
    if (!field) return;
    if (text.trim() === "" || text.length > MAX_PASTED_LENGTH) return;
    const restore = save();
    setTimeout(() => open(text, field, restore));
  });
}

/**
 * Calls back with a text that is pasted outside of all fields, or is in the box above the form. There it
 * is read at each pause of the typing too, and stays until Enter, a paste or leaving the box reads it.
 *
 * @param open tells whether the text was read.
 */
export function onWholeText(open: (text: string, isTyping: boolean) => Promise<boolean>): void {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let last: { readonly text: string; readonly isRead: boolean } | undefined;
  const read = async (box: HTMLTextAreaElement, isTyping = false) => {
    clearTimeout(pause);
    const text = box.value;
    if (text.trim() === "") return;
    const isRead = await open(text, isTyping);
    if (isRead || !isTyping) last = { text, isRead };
    if (isRead && !isTyping && box.value === text) box.value = "";
  };
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const { target } = event;
    if (text.trim() === "" || (target instanceof Element && target.closest(FIELDS))) return;
    event.preventDefault();
    void open(text, false);
  });
  document.addEventListener("input", (event) => {
    const { target } = event;
    if (!isBox(target)) return;
    clearTimeout(pause);
    if (event instanceof InputEvent && PASTED.test(event.inputType)) void read(target);
    else pause = setTimeout(() => void read(target, true), PAUSE_MS);
  });
  document.addEventListener("change", ({ target }) => {
    if (!isBox(target)) return;
    // A text that was read is not read again: its change may have been undone.
    if (target.value !== last?.text) void read(target);
    else if (last.isRead) target.value = "";
  });
  document.addEventListener("keydown", (event) => {
    const { target, key, shiftKey, isComposing } = event;
    if (!isBox(target) || key !== "Enter" || shiftKey || isComposing) return;
    event.preventDefault();
    void read(target);
  });
}

const isBox = (target: EventTarget | null): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.matches("[data-paste]");

const FIELDS = "input, textarea, select, [contenteditable]";

const PASTED = /^insertFrom(?:Paste|Drop)/;

/** Long enough for a hand that goes on typing. */
const PAUSE_MS = 400;

/** The length of a long README. A longer text stays in its field. */
const MAX_PASTED_LENGTH = 1_000_000;

/**
 * Calls back with the text of a file that is chosen, or dropped on the page; undefined for one that
 * is too large or cannot be read, such as a folder. The style shows where a file lands.
 *
 * @param trial takes the files that an input is tried on, after the input that came with them.
 */
export function onFile(
  open: (text: string | undefined) => Promise<unknown>,
  trial: { isFor(file: File): Promise<boolean>; start(files: readonly File[]): void },
): void {
  const read = async (list: FileList | null | undefined) => {
    const files = [...(list ?? [])];
    const isTried = await Promise.all(files.map(trial.isFor));
    const file = files.find((_, index) => !isTried[index]);
    if (file) await open(await readFile(file).catch(() => undefined));
    const tried = files.filter((_, index) => isTried[index]);
    if (tried.length > 0) trial.start(tried);
  };
  document.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-open], [data-try]")) return;
    await read(target.files);
    target.value = "";
  });
  const { dataset } = document.documentElement;
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    dataset.dropping = "";
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) delete dataset.dropping;
  });
  document.addEventListener("drop", (event) => {
    delete dataset.dropping;
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void read(event.dataTransfer.files);
  });
}

const readFile = async (file: File): Promise<string | undefined> =>
  file.size > MAX_FILE_BYTES
    ? undefined
    : decodeText(new Uint8Array(await file.arrayBuffer()), { fatal: false });

/** Ten times the size of a thousand filters. */
const MAX_FILE_BYTES = 10_000_000;
