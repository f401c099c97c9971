import { expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { mailFilterContract } from "../../../schemas/index.ts";
import { Findings } from "../../../src/findings.ts";
import { InvalidInputError } from "../../../src/issues.ts";
import { filterFindings } from "../../../src/mail-filter/filter-findings.ts";
import { mailFilterTool, writeFilters } from "../../../src/mail-filter/mail-filter.ts";
import { jsonBytes } from "../../../src/text.ts";
import { tries } from "../../support/runs.ts";
import { hostileInput } from "./hostile-filters.ts";

const addresses = Array.from({ length: 20 }, (_, index) => `${`${index}`.padEnd(190, "x")}@x.com`);

test("a result above the limit is rejected by the name of its longest filter", () => {
  const filters = [
    { subject: ["語", '"<b>"'], star: true },
    { from: addresses, to: addresses, star: true },
  ];
  const result = mailFilterTool.run({ filters }, {});
  const bytes = jsonBytes(result);
  expect(mailFilterTool.run({ filters }, { resultBytes: bytes })).toEqual(result);
  expect(() => mailFilterTool.run({ filters }, { resultBytes: bytes - 1 })).toThrow(
    /^filters\[1\]: must be shorter: the result would exceed [\d,]+ bytes; or send the filters in several requests$/,
  );
});

/** Shorter results are not counted, so none of them may grow more than counting begins at. */
test("a result has at most 50 bytes for each character of its entries", () => {
  fc.assert(
    fc.property(hostileInput, (input) => {
      const valid = v.safeParse(mailFilterContract.input, input);
      if (!valid.success) return;
      const written = outcome(() =>
        writeFilters(valid.output.filters, new Findings(filterFindings)),
      );
      if (!written) return;
      const characters = written.flatMap(({ entries }) =>
        entries.flatMap(({ search, comment, properties }) => [
          search,
          comment,
          ...Object.values(properties),
        ]),
      );
      const length = characters.join("").length;
      expect(jsonBytes(mailFilterTool.run(valid.output, {}))).toBeLessThan(50_000 + 50 * length);
    }),
    tries(40),
  );
});

/** Undefined for filters that Gmail cannot express. */
function outcome<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}
