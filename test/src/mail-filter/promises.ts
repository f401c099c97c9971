import { expect } from "bun:test";
import type { MailFilterResult } from "../../../schemas/index.ts";
import {
  parseExpression,
  type SearchGroup,
  writeTerm,
} from "../../../src/mail-filter/search/parse-search.ts";
import { readXml } from "./support.ts";

type Filter = MailFilterResult["filters"][number];
type Entry = Filter["entries"][number];

/** Gmail cuts a longer search string off. */
const MAX_SEARCH = 1_400;

/** Checks that hold for the result of every input, however hostile: its parts agree. */
export function expectMailFilterPromises({ filters, file }: MailFilterResult): void {
  const entries = filters.flatMap((filter) => filter.entries);
  const read = readXml(file.content).map(({ properties }) => Object.fromEntries(properties));
  expect<unknown>(read).toEqual(entries.map(({ properties }) => ({ ...properties })));
  for (const { search, properties } of entries) {
    if (!isBalanced(search)) throw new Error(`unbalanced: ${search}`);
    expect(search.length).toBeLessThanOrEqual(MAX_SEARCH);
    expectSameConditions(search, properties);
    expectNoExclusion(properties);
  }
  for (const filter of filters) {
    expectWholeLists(filter);
    expectReadable(filter);
  }
}

function isBalanced(search: string): boolean {
  const open: string[] = [];
  for (const character of search.replace(/"[^"]*"/g, '""')) {
    if (character === "(") open.push(")");
    if (character === "{") open.push("}");
    if ((character === ")" || character === "}") && open.pop() !== character) return false;
  }
  return open.length === 0 && search.split('"').length % 2 === 1;
}

/** Splits a list of alternatives at its ORs outside quotes and brackets. */
function alternatives(value: string): string[] {
  const items: string[] = [""];
  let depth = 0;
  for (const token of value.match(/"[^"]*"|[(){}]|[^"(){}\s]+|\s+/g) ?? []) {
    if ("({".includes(token)) depth += 1;
    if (")}".includes(token)) depth -= 1;
    if (token === "OR" && depth === 0) items.push("");
    else items.push(`${items.pop()}${token}`);
  }
  return items.map((item) => item.trim());
}

/** Rebuilds the search from the properties alone: no condition is in only one of them. */
function expectSameConditions(search: string, properties: Entry["properties"]): void {
  const { from, to, subject, hasTheWord, doesNotHaveTheWord, size, sizeOperator, sizeUnit } =
    properties;
  const excluded = doesNotHaveTheWord && alternatives(doesNotHaveTheWord);
  const sized = size && `${size}${sizeUnit === "s_smb" ? "M" : ""}`;
  const smallerWord =
    sizeOperator === "s_sl" ? (/(?:^| )(smaller:\d+M?)$/.exec(hasTheWord ?? "")?.[1] ?? "") : "";
  const words = smallerWord ? hasTheWord?.slice(0, -smallerWord.length).trim() : hasTheWord;
  const rebuilt = [
    from && `from:(${from})`,
    to && `to:(${to})`,
    subject && `subject:(${subject})`,
    words,
    excluded && (excluded.length === 1 ? `-${excluded[0]}` : `-{${excluded.join(" ")}}`),
    properties.hasAttachment && "has:attachment",
    sized && (sizeOperator === "s_sl" ? `larger:${sized}` : `smaller:${sized}`),
    smallerWord,
  ].filter(Boolean);
  expect(rebuilt.join(" ")).toBe(search);
}

/** A bare - or ! before one of many alternatives would let in all mail but that. */
function expectNoExclusion({ from, to, subject }: Entry["properties"]): void {
  for (const value of [from, to, subject]) {
    for (const term of alternatives(value ?? "")) expect(term).not.toMatch(/^[-!]/);
  }
}

/** The parts of a split list, joined, are the list. */
function expectWholeLists({ search, entries }: Filter): void {
  for (const field of ["from", "to", "subject"] as const) {
    const parts = [...new Set(entries.map(({ properties }) => properties[field]))];
    if (parts[0] === undefined) continue;
    expect(search).toContain(`${field}:(${parts.join(" OR ")})`);
  }
}

/** Our own parser reads every search, and finds each exclusion excluded. */
function expectReadable({ search, entries }: Filter): void {
  const whole = expression(search);
  const excluded = entries[0]?.properties.doesNotHaveTheWord;
  if (excluded === undefined) return;
  const alternatives = expression(excluded);
  expect(alternatives.joiners.slice(0, -1)).toEqual(alternatives.terms.slice(1).map(() => "OR"));
  expect(alternatives.terms.filter(({ isNegated }) => isNegated)).toEqual([]);
  const [only, ...others] = alternatives.terms;
  const kept = whole.terms.filter(({ isNegated }) => isNegated).map((term) => writeTerm(term));
  expect(kept).toContain(
    only && others.length === 0
      ? `-${writeTerm(only)}`
      : `-{${alternatives.terms.map((term) => writeTerm(term)).join(" ")}}`,
  );
}

function expression(text: string): SearchGroup {
  const parsed = parseExpression(text);
  if ("problem" in parsed) throw new Error(`${parsed.problem} in ${text}`);
  return parsed.expression;
}
