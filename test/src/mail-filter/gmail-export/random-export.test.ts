import { describe, expect, test } from "bun:test";
import {
  compareMailFilters,
  mailFilter,
  mergeMailFilters,
  readMailFilters,
} from "../../../../src/mail-filter/index.ts";
import { runs } from "../../../support/runs.ts";
import type { FilterFields } from "../support.ts";
import { doesSomething, randomExport } from "./random-export.ts";

const SIZES = [3, 8, 12, 20, 35, 60, 150, 430];

/** Exports of made-up accounts of all sizes, and what is read of them. */
const accounts = ([2009, 2026] as const).flatMap((form) =>
  Array.from({ length: runs(16) }, (_, seed) => {
    const made = randomExport(form, SIZES[seed % SIZES.length] ?? 0, seed);
    return { form, ...made, read: readMailFilters(made.xml) };
  }),
);

describe.each([2009, 2026] as const)("of exports in Gmail's form of %d", (form) => {
  const all = accounts.filter((account) => account.form === form);
  const filters = all.flatMap(({ read }) => read.filters).length;

  test("at least 99 % of the filters that do something are read", () => {
    const active = all.flatMap(({ entries }) => entries.filter(doesSomething)).length;
    expect(active).toBeGreaterThan(1_000);
    expect(filters / active).toBeGreaterThanOrEqual(0.99);
    expect(filters).toBeLessThan(active);
  });

  test("all that are read mean the same, and the others are named", () => {
    for (const { entries, read, xml } of all) {
      expect(read.filters.length + read.left_out.length).toBe(entries.length);
      if (read.filters.length === 0) continue;
      const { counts } = compareMailFilters({ filters: read.filters }, xml);
      const left_out = read.left_out.length;
      expect(counts).toMatchObject({ new: 0, changed: 0, only_there: 0, left_out });
    }
  });

  test("at most 3 % get a warning", () => {
    const warned = all.map(({ read }) => {
      const warnings = read.warnings.filter(({ severity }) => severity === "warning");
      return new Set(warnings.map(({ path }) => /^filters\[\d+\]/.exec(path)?.[0])).size;
    });
    const count = warned.reduce((sum, own) => sum + own, 0);
    expect(count).toBeGreaterThan(0);
    expect(count / filters).toBeLessThanOrEqual(0.03);
  });
});

/** The alternatives of a filter's lists, and all else that its entries have. */
function partsOf(filter: FilterFields): Readonly<Record<string, ReadonlySet<string>>> {
  const { filters } = mailFilter({ filters: [filter] }, { limits: "gmail" });
  const properties = filters.flatMap(({ entries }) => entries.map((entry) => entry.properties));
  const values = (name: "from" | "to" | "subject") =>
    new Set(properties.flatMap((entry) => entry[name]?.toLowerCase().split(" or ") ?? []));
  const rest = properties.map((entry) => {
    const { from, to, subject, label, ...others } = entry;
    return JSON.stringify({ label: label?.toLowerCase(), ...others });
  });
  const lists = { from: values("from"), to: values("to"), subject: values("subject") };
  return { ...lists, rest: new Set(rest) };
}

test("a merge of such exports makes a fifth fewer, and each new filter has the alternatives of the old ones", () => {
  let [before, after] = [0, 0];
  for (const { filters, left_out } of accounts.map(({ read }) => read)) {
    if (filters.length === 0) continue;
    const merge = mergeMailFilters(filters, { left_out });
    before += filters.length;
    after += merge.filters.length;
    for (const { into, from, fields } of merge.merged) {
      const made = partsOf(merge.filters[into] ?? {});
      const replaced = from.map((index) => partsOf(filters[index] ?? {}));
      for (const [name, parts] of Object.entries(made)) {
        const union = new Set(replaced.flatMap((own) => [...(own[name] ?? [])]));
        expect([...parts].sort()).toEqual([...union].sort());
      }
      expect(fields.length).toBeGreaterThan(0);
    }
  }
  expect(after / before).toBeLessThan(0.8);
});
