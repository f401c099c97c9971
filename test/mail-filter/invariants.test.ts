import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { callTool, type MailFilterResult } from "../../src/index.ts";
import { mailFilterTool } from "../../src/mail-filter/tool.ts";
import { runTool } from "../../src/tool.ts";
import { hostileInput } from "./hostile-filters.ts";
import { readXml } from "./read-xml.ts";

const ACCEPTED = 5000;

/** Results of hostile inputs that were accepted; the refused ones must say where and why. */
function* acceptedResults(): Generator<{ result: MailFilterResult; input: unknown }> {
  let accepted = 0;
  for (let seed = 1; accepted < ACCEPTED && seed <= 60; seed += 1) {
    for (const input of fc.sample(hostileInput, { seed, numRuns: 500 })) {
      const outcome = callTool("mail_filter_generator", input);
      if (outcome.ok) {
        accepted += 1;
        yield { result: runTool(mailFilterTool, input), input };
      } else {
        expect(outcome.error.code).toBe("invalid_request");
        expect(outcome.error.issues[0]?.path).toMatch(/^filters/);
      }
    }
  }
  expect(accepted).toBeGreaterThanOrEqual(ACCEPTED);
}

const withoutPhrases = (search: string): string => search.replace(/"[^"]*"/g, '""');

function isBalanced(search: string): boolean {
  const open: string[] = [];
  for (const character of withoutPhrases(search)) {
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

describe("every accepted hostile input", () => {
  test("keeps the promises of the result", () => {
    for (const { result, input } of acceptedResults()) {
      const entries = result.filters.flatMap((filter) => filter.entries);
      const read = readXml(result.file.content);

      expect<unknown>(read.map(({ properties }) => Object.fromEntries(properties))).toEqual(
        entries.map(({ properties }) => ({ ...properties })),
      );
      for (const { search, properties } of entries) {
        if (!isBalanced(search)) throw new Error(`unbalanced: ${search}`);
        expect(search.length).toBeLessThanOrEqual(1400);
        expectSameConditions(search, properties);
        expectNoExclusion(properties);
      }
      for (const filter of result.filters) expectWholeLists(filter);
      expect(runTool(mailFilterTool, input)).toEqual(result);
    }
  }, 120_000);
});

type Entry = MailFilterResult["filters"][number]["entries"][number];

/** Rebuilds the search from the properties alone: no condition stands in only one of them. */
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
function expectWholeLists({ search, entries }: MailFilterResult["filters"][number]): void {
  for (const field of ["from", "to", "subject"] as const) {
    const parts = [...new Set(entries.map(({ properties }) => properties[field]))];
    if (parts[0] === undefined) continue;
    expect(search).toContain(`${field}:(${parts.join(" OR ")})`);
  }
}
