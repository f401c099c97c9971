import { expect, test } from "bun:test";
import { formatTable, hasMoreBytes } from "../../src/text.ts";

test.each(["abc", "é", "e\u0301", "日本語", "한국", "ﾊﾝ", "🎉", "👩‍💻", "❤️", "–…", ""])(
  "table() aligns the text behind %j, as a terminal shows it",
  (cell) => {
    const [heading = "", row = ""] = formatTable([
      { heading: "A HEADING", align: "left", cells: [cell] },
      { heading: "B", align: "left", cells: ["b"] },
    ]);
    expect(Bun.stringWidth(row)).toBe(Bun.stringWidth(heading));
  },
);

test.each(["", "aaaa", "éé", "日", "🎉", "日日", "\ud800"])(
  "hasMoreBytes() counts the bytes of %j",
  (text) => {
    const bytes = Buffer.byteLength(text);
    expect([bytes - 1, bytes].map((max) => hasMoreBytes(text, max))).toEqual([true, false]);
  },
);
