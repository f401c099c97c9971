import { describe, expect, test } from "bun:test";
import { html } from "../../../server/pages/html.ts";
import { copyBlock } from "../../../server/pages/parts.ts";
import { elementsOf } from "../support/expect.ts";

const shown = async (text: string) => {
  const block = copyBlock({ id: "x", label: "File", of: "<Me>", text, action: html`<a>Go</a>` });
  const elements = await elementsOf(block.markup);
  return (tag: string) => elements.find((element) => element.tag === tag);
};

describe("copyBlock()", () => {
  test("has a button that copies the text it shows, and says of what", async () => {
    const find = await shown("a <b>\n\tc & d");
    expect(find("code")).toMatchObject({ attributes: { id: "x" }, text: "a <b>\n\tc & d" });
    expect(find("button")?.attributes).toMatchObject({
      type: "button",
      "data-copy": "x",
      "aria-label": "Copy: File of <Me>",
    });
    expect(find("figcaption")?.text).toMatch(/^File of <Me>\s+Go\s*Copy$/);
  });

  test.each([
    ["one line", false],
    ["one line with its end\n", false],
    ["two\nlines", true],
  ])(
    "can be scrolled by keyboard where its lines are not wrapped: %j",
    async (text, isScrolled) => {
      const pre = (await shown(text))("pre");
      expect(pre?.attributes.tabindex).toBe(isScrolled ? "0" : undefined);
      expect(pre?.attributes.class).toBe(isScrolled ? undefined : "line");
    },
  );

  test("keeps white space at both ends", () => {
    const { markup } = copyBlock({ id: "x", label: "File", text: "\n  a\n" });
    expect(markup).toContain('<code id="x">\n  a\n</code>');
  });
});
