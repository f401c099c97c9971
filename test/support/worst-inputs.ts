import { automationCostContract } from "../../schemas/automation-cost.ts";
import { type Contract, MAX_TOOL_INPUT_BYTES } from "../../schemas/index.ts";
import { mailFilterContract } from "../../schemas/mail-filter.ts";
import { mcpConfigContract } from "../../schemas/mcp-config.ts";

/** An input within the public limits that takes long, or whose result would be large. */
export interface WorstInput {
  readonly title: string;
  readonly contract: Contract;
  readonly json: string;
}

/** The most expensive inputs found, each as large as the limit of an input allows. */
export const worstInputs = (): readonly WorstInput[] => [
  filters("opposite actions on 3,500 domains of two letters", (size) => {
    const kinds = [{ category: "social" }, { category: "promo" }, { importance: "always" }];
    return Array.from({ length: 20 }, (_, index) => ({
      from: inItems(words("@", Math.ceil(size / 20), index * Math.ceil(size / 20))),
      ...(kinds[index % kinds.length] ?? {}),
      ...(index % 2 === 0 ? { star: true } : { importance: "never" as const }),
    }));
  }),
  filters("the same domains in 20 filters", (size) =>
    times(20, { from: inItems(words("@", size / 20).map((word) => `${word}.x`)), label: "L" }),
  ),
  filters("two lists that are split, in two filters", (size) =>
    times(2, {
      from: inItems(words("@", size / 4)),
      to: inItems(words("@", size / 4)),
      label: "L",
    }),
  ),
  filters("two lists that are split beside long words", (size) => [
    {
      from: inItems(words("@", Math.min(size, 300))),
      to: inItems(words("@", Math.min(size, 300))),
      has_words: ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(190)),
      label: "L",
    },
  ]),
  filters("items of brackets 99 deep", (size) =>
    expressions(size, `${"(".repeat(99)}a${")".repeat(99)}`),
  ),
  filters("items of nested operators", (size) =>
    expressions(size, `${"to:(".repeat(38)}a${")".repeat(38)}`),
  ),
  filters("operators that Gmail judges at delivery", (size) =>
    times(20, { has_words: inItems(words("is:", size / 20)), label: "L" }),
  ),
  filters("unknown keys like a known one", (size) => [keyed("larger_than_", size, 0)]),
  filters("unknown keys of two letters", (size) => [keyed("", size, 0)]),
  filters("texts in place of filters", (size) => new Array(size).fill("")),
  filters("empty filters", (size) => Array.from({ length: size }, () => ({}))),
  zaps("unknown keys like a known one", (size) => [keyed("runs_per_", size, 0)]),
  local("soft hyphens in arguments", (size) => ({ args: cut("\u00ad".repeat(size)) })),
  local("quotes and backslashes in arguments", (size) => ({ args: cut('"\\'.repeat(size)) })),
  local("nested variables in arguments", (size) => ({ args: cut("${a:-".repeat(size)) })),
  local("secrets in the environment", (size) => ({ env: keyed("key", size, "x") })),
  local("spellings of one key", (size) => ({
    env: Object.fromEntries(spellings("keyabcdefghij", size).map((key) => [key, "x"])),
  })),
  config("secrets in headers", (size) => ({ url: "http://a", headers: keyed("key", size, "x") })),
  config("secrets in the query", (size) => ({
    url: `http://a/?${words("key", Math.min(size, 240)).join("=x&")}=x`,
    headers: keyed("h", size, "x"),
  })),
];

const filters = (title: string, make: (size: number) => readonly unknown[]): WorstInput =>
  largest(title, mailFilterContract, (size) => ({ filters: make(size) }));

const zaps = (title: string, make: (size: number) => readonly object[]): WorstInput =>
  largest(title, automationCostContract, (size) => ({ zaps: make(size) }));

const config = (title: string, make: (size: number) => object): WorstInput =>
  largest(title, mcpConfigContract, (size) => ({ name: "a", ...make(size) }));

const local = (title: string, make: (size: number) => object): WorstInput =>
  config(title, (size) => ({ command: "x", ...make(size) }));

/** The largest input of its kind that the limit allows. */
function largest(title: string, contract: Contract, make: (size: number) => object): WorstInput {
  let fits = 1;
  let tooMany = MAX_TOOL_INPUT_BYTES;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (Buffer.byteLength(JSON.stringify(make(middle))) <= MAX_TOOL_INPUT_BYTES) fits = middle;
    else tooMany = middle;
  }
  return { title: `${contract.command}: ${title}`, contract, json: JSON.stringify(make(fits)) };
}

/** Distinct words: the shortest ones first. */
const words = (prefix: string, count: number, from = 0): string[] =>
  Array.from(
    { length: Math.ceil(count) },
    (_, index) => `${prefix}${(from + index + 10).toString(36)}`,
  );

const times = (count: number, filter: object): object[] => Array(count).fill(filter);

const keyed = (prefix: string, count: number, value: unknown): object =>
  Object.fromEntries(words(prefix, count).map((key) => [key, value]));

/** Words as items of a list: as many to an item as its 200 characters take. */
function inItems(list: readonly string[]): string[] {
  const items: string[] = [];
  for (const word of list) {
    const last = items.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= MAX_ITEM) {
      items[items.length - 1] = `${last} ${word}`;
    } else items.push(word);
  }
  return items.slice(0, MAX_ITEMS);
}

const MAX_ITEM = 200;
const MAX_ITEMS = 20;

/** Up to 20 items in each of several filters. */
const expressions = (size: number, item: string): object[] =>
  Array.from({ length: Math.min(Math.ceil(size / MAX_ITEMS), 20) }, () => ({
    has_words: Array.from({ length: Math.min(size, MAX_ITEMS) }, () => item),
    label: "L",
  }));

/** A long text as arguments of 1,000 characters. */
const cut = (text: string): string[] =>
  Array.from({ length: Math.ceil(text.length / 1_000) }, (_, index) =>
    text.slice(index * 1_000, index * 1_000 + 1_000),
  );

/** A word in upper and lower case, letter by letter. */
const spellings = (word: string, count: number): string[] =>
  Array.from({ length: Math.min(count, 2 ** word.length) }, (_, bits) =>
    [...word]
      .map((letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter))
      .join(""),
  );
