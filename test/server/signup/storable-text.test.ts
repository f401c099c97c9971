import { expect, test } from "bun:test";
import { storableText } from "../../../server/signup/store/rows.ts";

test.each([
  ["a\0b\0", "a\uFFFDb\uFFFD"],
  ["\uD800", "\uFFFD"],
  ["\uDE00\uD83D", "\uFFFD\uFFFD"],
  ["😀 é\r\n\u0001", "😀 é\r\n\u0001"],
])("storableText(%j) is %j", (text, storable) => {
  expect(storableText(text)).toBe(storable);
});
