import { describe, expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { CopyBlock, Prose } from "../../../server/pages/parts.tsx";
import { elementsOf } from "../support/expect.ts";

const render = (text: string) =>
  elementsOf(renderToString(h(CopyBlock, { label: "File", of: "<Me>", text })));

describe("a text to copy", () => {
  test("has a button, and says of what", async () => {
    const find = async (tag: string) =>
      (await render("a <b>\n\tc & d")).find((element) => element.tag === tag);
    expect(await find("code")).toMatchObject({ text: "a <b>\n\tc & d" });
    expect((await find("button"))?.attributes).toMatchObject({
      type: "button",
      "aria-label": "Copy: File of <Me>",
    });
  });

  test.each([
    ["one line", false],
    ["one line with its end\n", false],
    ["two\nlines", true],
  ])(
    "can be scrolled by keyboard where its lines are not wrapped: %j",
    async (text, isScrolled) => {
      const pre = (await render(text)).find(({ tag }) => tag === "pre");
      expect(pre?.attributes.tabindex).toBe(isScrolled ? "0" : undefined);
      expect(pre?.attributes.class).toBe(isScrolled ? undefined : "line");
    },
  );

  test("keeps white space at both ends", () => {
    const markup = renderToString(h(CopyBlock, { label: "File", text: "\n  a\n" }));
    expect(markup).toContain("<code>\n  a\n</code>");
  });
});

test.each([
  ["One.\n\nTwo & three.", "<p>One.</p><p>Two &amp; three.</p>"],
  ["- One\n- `two`", "<ul><li>One</li><li><code>two</code></li></ul>"],
  ["`a.b[0].c`", "<p><code>a.<wbr/>b[0]<wbr/>.<wbr/>c</code></p>"],
  ["[a](https://a.test/)", '<p><a href="https://a.test/" rel="noopener">a</a></p>'],
  ["[a](javascript:b) <i>", "<p>[a](javascript:b) &lt;i></p>"],
])("a description becomes elements: %j", (text, markup) => {
  expect(renderToString(h(Prose, { text }))).toBe(markup);
});
