/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

export type CodeLanguage = keyof typeof TOKENS;

/**
 * Colours code by its strings, punctuation and literals. The text stays the same, so that it can be copied.
 * Quoted JSON in a shell command is coloured as JSON. A long text stays plain.
 *
 * @param mark draws strings and plain parts, where some of them stand out.
 */
export function highlight(
  text: string,
  language: CodeLanguage,
  mark: (part: string) => ComponentChildren = (part) => part,
): ComponentChildren {
  if (text.length > MAX_COLOURED) return mark(text);
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of text.matchAll(PATTERNS[language])) {
    parts.push(mark(text.slice(end, index)));
    end = index + token.length;
    if (groups.json) parts.push(<i>'</i>, highlight(token.slice(1, -1), "json", mark), <i>'</i>);
    else if (groups.text) parts.push(<b>{mark(token)}</b>);
    else if (groups.literal) parts.push(<u>{token}</u>);
    else if (groups.flag) parts.push(<i class="flag">{token}</i>);
    else if (groups.pale) parts.push(<i>{token}</i>);
    else parts.push(token);
  }
  return [...parts, mark(text.slice(end))];
}

/** In characters. Each token is an element. */
const MAX_COLOURED = 4_000;

const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"`;
const LITERAL = String.raw`-?\b\d[\d.eE+-]*|\b(?:true|false|null|True|False|None)\b`;

/** The patterns of each language by kind. The first match wins, and `plain` gets no colour. */
const TOKENS = {
  json: {
    plain: String.raw`${TEXT}(?=\s*:)`,
    text: TEXT,
    literal: LITERAL,
    pale: String.raw`[{}[\]():,;]+(?:\s+[{}[\]():,;]+)*`,
  },
  toml: {
    pale: String.raw`^\s*#.*$|[[\]{}=,]`,
    plain: String.raw`[\w.-]+(?=\s*=)`,
    text: `${TEXT}|'[^'\n]*'`,
    literal: LITERAL,
  },
  shell: {
    json: `'[{[][^']*'`,
    text: `'[^']*'|${TEXT}`,
    literal: String.raw`\$\{?\w+\}?`,
    flag: String.raw`(?<=\s)--?(?:[a-zA-Z][\w-]*|(?=\s))`,
    pale: String.raw`\\$|[|;&<>]`,
  },
  search: {
    text: TEXT,
    pale: String.raw`\b[a-z_]+:|[(){}]|\b(?:OR|AND)\b`,
    literal: String.raw`(?<!\S)-(?=\S)`,
  },
} as const;

const PATTERNS = Object.fromEntries(
  Object.entries(TOKENS).map(([language, tokens]) => {
    const groups = Object.entries(tokens).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
    return [language, new RegExp(groups.join("|"), "gm")];
  }),
) as Readonly<Record<CodeLanguage, RegExp>>;
