import type { Path } from "../../../src/issues.ts";
import { type Issue, issueAt } from "../../../src/issues.ts";
import { type Entries, type Entry, isBlankPair, isBlankRow, type MapRow } from "./entry.ts";

/** The input that a form stands for, and what of the form no input can say. */
export interface FormInput {
  readonly input: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

/** What is blank is left out, whole rows too. */
export function inputOf(entries: Entries): FormInput {
  const issues: Issue[] = [];
  return { input: inputObject(entries, [], issues), issues };
}

function inputObject(entries: Entries, path: Path, issues: Issue[]): Record<string, unknown> {
  const properties = entries.map((entry) => {
    const { name } = entry.field;
    return [name, inputValue(entry, [...path, name], issues)] as const;
  });
  return Object.fromEntries(properties.filter(([, value]) => value !== undefined));
}

function inputValue(entry: Entry, path: Path, issues: Issue[]): unknown {
  switch (entry.kind) {
    case "text":
      return entry.value === "" ? undefined : scalarOf(entry.value, entry.field.kind);
    case "switch":
      return entry.value || undefined;
    case "texts":
      return orNothing(entry.rows.filter((text) => text !== ""));
    case "map":
      return mapOf(entry.rows, path, issues);
    case "items":
      return entry.rows
        .filter((row) => !isBlankRow(row))
        .map((row, index) => inputObject(row, [...path, index], issues));
  }
}

const orNothing = <List extends readonly unknown[]>(list: List): List | undefined =>
  list.length > 0 ? list : undefined;

/** A number as people and JSON write it. "5,5", "1_000" or "0x10" may mean this or that. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** What is no number stays a text, for the tool to refuse in words. */
function scalarOf(text: string, kind: Entry["field"]["kind"]): string | number {
  const isNumber = (kind === "number" || kind === "integer") && DECIMAL.test(text);
  const number = Number(text);
  return isNumber && Number.isFinite(number) ? number : text;
}

/** Of two rows with one key the map would silently keep one. */
function mapOf(rows: readonly MapRow[], path: Path, issues: Issue[]): object | undefined {
  const pairs = orNothing(rows.filter((row) => !isBlankPair(row)));
  for (const [key, { length }] of Map.groupBy(pairs ?? [], (pair) => pair.key)) {
    if (length > 1) issues.push(issueAt([...path, key], "must be given once"));
  }
  return pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}
