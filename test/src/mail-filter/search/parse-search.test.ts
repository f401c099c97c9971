import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { toAsciiPattern } from "../../../../src/mail-filter/search/parse-search.ts";
import { tries } from "../../../support/runs.ts";
import { oneFilter, rejections } from "../support.ts";

const subjectOf = (text: string) => oneFilter({ subject: [text] }).properties.subject;

describe("createMailFilters() removes what shows nothing", () => {
  test.each([
    ["zero-width space", "a\u200bb"],
    ["word joiner", "a\u2060b"],
    ["bidi override", "a\u202eb"],
    ["C1 control", "a\u0090b"],
    ["combining grapheme joiner", "a\u034fb"],
    ["Hangul filler", "a\u3164b"],
    ["a joiner at the start", "\u200dab"],
    ["a variation selector after a space", " \ufe0fab"],
    ["tags that mark nothing", "\u{e0041}\u{e0042}ab"],
  ])("%s", (_, text) => {
    expect(subjectOf(text)).toBe("ab");
    expect(oneFilter({ subject: [text] }).codes).toEqual(["read-as"]);
  });

  test.each([
    ...["👨‍👩‍👧 a", "❤️ a", "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} a"],
    ...["می\u200cخواهم", "क्\u200dष"],
  ])("but not the joiners in %j", (text) => {
    const { properties, codes } = oneFilter({ subject: [text] });
    expect(properties.subject?.replaceAll('"', "")).toBe(text);
    expect(codes).toEqual([]);
  });
});

describe("createMailFilters() looks at the visible text", () => {
  test.each([
    [{ subject: ["\u200d\u200c"] }, "subject[0]: must not be blank"],
    [{ has_words: ["a OR \uffa0"] }, "has_words[0]: must not have OR with nothing after it"],
    [{ from: ["a@x.com"], label: "\ufe0f" }, "label: must not be blank"],
    [{ from: ["a@x.com"], label: "[Gm\u200cail]/x" }, "label: must not be under [Gmail]"],
    [{ from: ["a@x.com"], label: "a/\u200d" }, "label: must have a name on both sides"],
  ])("%j", (filter, message) =>
    expect(rejections(filter)).toEqual([expect.stringContaining(`filters[0].${message}`)]),
  );

  test("of a reserved label", () =>
    expect(oneFilter({ from: ["a@x.com"], label: "Sp\u200dam" }).codes).toEqual([
      "reserved-label",
    ]));
});

describe("createMailFilters() keeps the spaces of a label, which make it another one for Gmail", () => {
  test.each([
    ["Pay / EMI", "Pay / EMI", "Pay/EMI"],
    [" Money/Bills", " Money/Bills", "Money/Bills"],
    ["A\t B", "A  B", "A B"],
  ])("%j", (label, written, other) => {
    const { properties, warnings } = oneFilter({ from: ["a@x.com"], label });
    expect(properties.label).toBe(written);
    const message = `keeps its spaces; in Gmail, ${other} is a different label`;
    const finding = { code: "label-spaces", severity: "info", path: "filters[0].label" } as const;
    expect(warnings).toEqual([{ ...finding, message }]);
  });
});

test("toAsciiPattern() lets a pattern of ASCII replace Unicode's classes", () => {
  const character = fc.oneof(
    fc.constantFrom(..."aZ0_-é\u0300\u0903٣Ⅷ字😀”"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 4 }), (characters) => {
      const text = characters.join("");
      const shape = toAsciiPattern(text);
      expect(/^[\wé]*$/.test(shape)).toBe(/^[\p{L}\p{M}\p{N}_]*$/u.test(text));
      expect(/[a-z0-9]/i.test(shape)).toBe(/[\p{L}\p{N}]/u.test(text));
    }),
    tries(200),
  );
});
