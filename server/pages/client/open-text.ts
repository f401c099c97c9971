import { rowsAt } from "../form/form-data.ts";

/** Lines that were pasted into a row of a list of texts. */
export interface PastedLines {
  /** The list's name, `filters[0].from`. */
  readonly list: string;
  readonly lines: readonly string[];
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
    const [first = "", ...others] = linesOf(text);
    const { selectionStart, selectionEnd, value } = target;
    target.setRangeText(first, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
    target.dispatchEvent(new Event("input", { bubbles: true }));
    if (others.length > 0) onLines({ list, lines: others });
  });
}

/** The data of a form with pasted lines as new rows. */
export const withRows = (
  data: Readonly<Record<string, unknown>>,
  { list, lines }: PastedLines,
): Readonly<Record<string, unknown>> =>
  rowsAt(data, list, (rows) => [...rows.filter((row) => row !== ""), ...lines]);

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Calls back with a text that was pasted into a field; the field gets it too. */
export function onPastedText(
  form: HTMLFormElement,
  open: (text: string, field: string) => void,
): void {
  form.addEventListener("paste", ({ clipboardData, target }) => {
    const text = clipboardData?.getData("text/plain") ?? "";
    const field = target instanceof Element ? (target.getAttribute("name") ?? "") : "";
    if (text.trim() !== "") setTimeout(() => open(text, field));
  });
}

/** Calls back with the text of a file that is chosen, or dropped on the page. */
export function onFile(open: (text: string) => void): void {
  document.addEventListener("change", async ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-open]")) return;
    const [file] = target.files ?? [];
    if (file) open(await file.text());
    target.value = "";
  });
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    open(await file.text());
  });
}
