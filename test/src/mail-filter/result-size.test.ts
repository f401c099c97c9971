import { expect, test } from "bun:test";
import { mailFilterTool } from "../../../src/mail-filter/mail-filter.ts";
import { jsonBytes } from "../../../src/text.ts";

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
    /^filters\[1\]: makes a result of more than [\d,]+ bytes; shorten it, or send the filters in several requests$/,
  );
});
