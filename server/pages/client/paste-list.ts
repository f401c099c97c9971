/** The name of a row of a list of texts, `filters[0].from[1]`, without its number. */
const LIST = /^(.+)\[\d+\]$/;

/**
 * Lets a column of texts be pasted into a row of a list: each line becomes a row, where browsers
 * would join them all in one. The first goes where the caret is; the others stand in the form as
 * hidden controls until the server, which is to be asked then, has made rows of them.
 *
 * @param onRows called with the name of the list that gets more rows.
 */
export function pasteLists(form: HTMLFormElement, onRows: (list: string) => void): void {
  form.addEventListener("paste", (event) => {
    const { target, clipboardData } = event;
    if (!(target instanceof HTMLInputElement) || !target.closest("ul.rows")) return;
    const list = LIST.exec(target.name)?.[1];
    const text = clipboardData?.getData("text/plain") ?? "";
    if (list === undefined || !/[\r\n]/.test(text)) return;
    event.preventDefault();
    const [first = "", ...others] = linesOf(text);
    const { selectionStart, selectionEnd, value } = target;
    target.setRangeText(first, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
    target.dispatchEvent(new Event("input", { bubbles: true }));
    if (others.length === 0) return;
    const row = rowsOf(form, list);
    form.append(...others.map((line, index) => hiddenRow(`${list}[${row + index}]`, line)));
    onRows(list);
  });
}

/** Whether rows were pasted that the server has not shown yet. */
export const hasPastedRows = (form: HTMLFormElement): boolean =>
  form.querySelector("input[type=hidden]") !== null;

const linesOf = (text: string): readonly string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** How many rows a list has: the server numbers them without a gap. */
const rowsOf = (form: HTMLFormElement, list: string): number =>
  [...form.querySelectorAll<HTMLInputElement>("[name]")].filter(
    ({ name }) => LIST.exec(name)?.[1] === list,
  ).length;

function hiddenRow(name: string, value: string): HTMLInputElement {
  const row = document.createElement("input");
  row.type = "hidden";
  row.name = name;
  row.value = value;
  return row;
}
