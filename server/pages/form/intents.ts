import { replaceForm, type ToolPage } from "./form-state.ts";
import {
  addRow,
  collapseItems,
  endTyping,
  ensureRows,
  FIELD_NAME,
  type Fields,
  type FormField,
  type FormValues,
  findField,
  isCollapsed,
  parseFieldName,
  readTokens,
  writeTokens,
} from "./form-values.ts";

/**
 * Applies the intent of a button to a form: one of the page, or `add filters`,
 * `remove filters[0].from[1]`, `edit filters[0].from[1]`, `open filters[2]`, `close filters[2]`,
 * `copy filters[2]` or `clear`. Any other intent changes nothing.
 *
 * @returns the name of the control to focus.
 */
export function applyIntent(
  form: FormValues,
  intent: string,
  { fields, ...page }: Pick<ToolPage, "fields" | "applyIntent">,
): string | undefined {
  const focus = page.applyIntent?.(form, intent);
  if (focus !== undefined) return focus;
  const [verb = "", name = ""] = intent.split(" ", 2);
  if (verb === "clear") {
    form.clear();
    return Object.keys(fields)[0];
  }
  if (!FIELD_NAME.test(name)) return undefined;
  const field = findField(fields, name.replace(/\[\d+\]$/, ""));
  if (field?.kind === "tokens") return applyTokenIntent(form, verb, name, field);
  const steps = parseFieldName(name);
  const items = fields[steps[0] ?? ""];
  const itemFields = steps.length <= 2 && items?.kind === "items" ? items.fields : undefined;
  if (verb === "add") {
    const rows = ensureRows(form, steps);
    const row = addRow(rows, itemFields ? new Map() : "");
    if (itemFields) collapseItems(rows, itemFields, row);
    return `${name}[${row}]`;
  }
  const rows = ensureRows(form, steps.slice(0, -1));
  const row = steps.at(-1) ?? "";
  if (verb === "remove") return removeRow(rows, row, name, itemFields);
  if (!itemFields) return undefined;
  if (verb === "copy") return copyItem(rows, row, name, itemFields);
  if (verb !== "open" && verb !== "close") return undefined;
  collapseItems(rows, itemFields, verb === "open" ? row : "");
  return verb === "open" ? name : `open ${name}`;
}

/** @returns the neighbour of the removed row. */
function removeRow(rows: FormValues, row: string, name: string, itemFields?: Fields): string {
  const list = name.replace(/\[\d+\]$/, "");
  const numbers = [...rows.keys()];
  const at = numbers.indexOf(row);
  const next = numbers[at + 1] ?? numbers[at - 1] ?? "";
  rows.delete(row);
  if (!itemFields) return rows.size > 1 ? `remove ${list}[${next}]` : `add ${list}`;
  collapseItems(rows, itemFields);
  return isCollapsed(rows.get(next) ?? "") ? `open ${list}[${next}]` : list;
}

/** Adds a copy behind the item, and opens it. */
function copyItem(rows: FormValues, row: string, name: string, itemFields: Fields) {
  const item = rows.get(row);
  if (item === undefined) return undefined;
  const numbers = [...rows.keys()];
  const copy = addRow(rows, structuredClone(item));
  // A map keeps the order in which its keys are set.
  const order = numbers.toSpliced(numbers.indexOf(row) + 1, 0, copy);
  replaceForm(rows, new Map(order.map((number) => [number, rows.get(number) ?? ""])));
  collapseItems(rows, itemFields, copy);
  return name.replace(/\d+\]$/, `${copy}]`);
}

/** Turns the typed text into tokens, or removes or edits a token. @returns the control to focus. */
function applyTokenIntent(form: FormValues, verb: string, name: string, field: FormField): string {
  const list = name.replace(/\[\d+\]$/, "");
  const steps = parseFieldName(list);
  const key = steps.at(-1) ?? "";
  const parent = ensureRows(form, steps.slice(0, -1));
  const index = Number(parseFieldName(name).at(-1));
  const { texts, typedIndex } = readTokens(parent, key);
  const token = texts[index] ?? "";
  const isToken = index !== typedIndex && token !== "";
  if (verb === "add") endTyping(parent, key, field);
  else if (verb === "remove" && isToken) {
    const rest = texts.toSpliced(index, 1);
    const place = index < typedIndex ? typedIndex - 1 : typedIndex;
    writeTokens(parent, key, { texts: rest, typedIndex: place });
    const next = index in rest ? index : index - 1;
    if (next !== place) return `${list}[${next}]`;
    // A line break would not stay in the text control as it is.
  } else if (verb === "edit" && isToken && !token.includes("\n")) {
    endTyping(parent, key, field);
    const ended = readTokens(parent, key).texts;
    const place = index < typedIndex ? index : index + ended.length - 1 - texts.length;
    writeTokens(parent, key, { texts: ended.slice(0, -1), typedIndex: place });
  }
  return list;
}
