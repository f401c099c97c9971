import { expect, test } from "bun:test";
import fc from "fast-check";
import { matchMailFilters, mergeMailFilters } from "../../../../src/mail-filter/index.ts";
import { tries } from "../../../support/runs.ts";

const PEOPLE = ["ann@x.com", "bob@x.com", "@y.org", "eve@mail.y.org"];
const WORDS = ["alpha", "bravo", "carol"];

const some = (values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });

const filter = fc.record({
  from: some(PEOPLE),
  subject: some(WORDS),
  does_not_have: fc.constantFrom<string[]>([], [], ["carol"]),
  label: fc.constantFrom("A", "A", "B"),
});

const mail = fc.record({
  from: fc.constantFrom("ann@x.com", "bob@x.com", "carl@y.org", "eve@mail.y.org"),
  to: fc.constantFrom("ann@x.com", "bob@x.com", "carl@y.org"),
  subject: fc.constantFrom("", "alpha", "bravo", "alpha carol"),
  text: fc.constantFrom("", "bravo", "carol"),
});

test("merged filters do the same with every mail", () => {
  let joined = 0;
  fc.assert(
    fc.property(fc.array(filter, { minLength: 2, maxLength: 8 }), mail, (filters, message) => {
      const whole = { ...message, cc: "", bcc: "", delivered_to: "", list: "", attachments: [] };
      const labels = (list: typeof filters) =>
        new Set(
          matchMailFilters(list, whole).flatMap(({ matched }, index) =>
            matched === "no" ? [] : `${list[index]?.label} ${matched}`,
          ),
        );
      const merged = mergeMailFilters(filters).filters as typeof filters;
      if (merged.length < filters.length) joined += 1;
      expect(labels(merged)).toEqual(labels(filters));
    }),
    tries(300),
  );
  expect(joined).toBeGreaterThan(50);
});
