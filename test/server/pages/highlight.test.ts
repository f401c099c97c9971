import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { type CodeLanguage, highlight } from "../../../server/pages/highlight.tsx";

const draw = (text: string, language: CodeLanguage): string =>
  renderToString(h("code", null, highlight(text, language))).replaceAll("&quot;", '"');

/** Strings are `b`, punctuation is `i`, literals are `u`. */
const CASES: readonly (readonly [CodeLanguage, string, string])[] = [
  ["json", '{"a": "b"}', '<i>{</i>"a"<i>:</i> <b>"b"</b><i>}</i>'],
  [
    "json",
    '["a\\"", -1.5e3, null]',
    '<i>[</i><b>"a\\""</b><i>,</i> <u>-1.5e3</u><i>,</i> <u>null</u><i>]</i>',
  ],
  ["json", '["a"\n  ],\n}', '<i>[</i><b>"a"</b>\n  <i>],\n}</i>'],
  [
    "toml",
    '# note\n[a.b]\nc-d = "e" # f',
    '<i># note</i>\n<i>[</i>a.b<i>]</i>\nc-d <i>=</i> <b>"e"</b> # f',
  ],
  [
    "toml",
    "on = true\nn = [1, 'x']",
    "on <i>=</i> <u>true</u>\nn <i>=</i> <i>[</i><u>1</u><i>,</i> <b>'x'</b><i>]</i>",
  ],
  [
    "shell",
    "curl 'https://x.test' \\\n  --data $A",
    "curl <b>'https://x.test'</b> <i>\\</i>\n  <i class=\"flag\">--data</i> <u>$A</u>",
  ],
  ["shell", "a --b=c -- d", 'a <i class="flag">--b</i>=c <i class="flag">--</i> d'],
  ["shell", `--data '{"a": 1}'`, `--data <i>'</i><i>{</i>"a"<i>:</i> <u>1</u><i>}</i><i>'</i>`],
  [
    "search",
    'from:(a OR "b c") -d',
    '<i>from:</i><i>(</i>a <i>OR</i> <b>"b c"</b><i>)</i> <u>-</u>d',
  ],
  ["json", '"no end', '"no end'],
  ["json", "", ""],
];

test.each(CASES)("%s: %s", (language, text, drawn) => {
  expect(draw(text, language)).toBe(`<code>${drawn}</code>`);
});

test.each(["json", "toml", "shell", "search"] as const)("%s keeps every text", (language) => {
  for (const text of [
    ...CASES.map(([, code]) => code),
    "<p>&amp;'\"\\",
    "'\\''",
    "x".repeat(9_000),
  ])
    expect(Bun.escapeHTML(text)).toBe(
      draw(text, language)
        .replace(/<\/?(?:code|[biu])(?: class="flag")?>/g, "")
        .replaceAll('"', "&quot;")
        .replaceAll("'", "&#x27;")
        .replaceAll(/>/g, "&gt;"),
    );
});
