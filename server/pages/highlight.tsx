/** @jsxImportSource preact */
import type { ComponentChildren } from "preact";

export type CodeLanguage = keyof typeof TOKEN_PATTERNS;

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
  if (text.length > MAX_COLOURED_LENGTH) return mark(text);
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const { 0: token, index, groups = {} } of text.matchAll(LANGUAGE_PATTERNS[language])) {
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
const MAX_COLOURED_LENGTH = 12_000;

const STRING_PATTERN = String.raw`"(?:[^"\\\n]|\\.)*"`;
const LITERAL_PATTERN = String.raw`-?\b\d[\d.eE+-]*|\b(?:true|false|null|True|False|None)\b`;

/** The patterns of each language by kind. The first match wins, and `plain` gets no colour. */
const TOKEN_PATTERNS = {
  json: {
    plain: String.raw`${STRING_PATTERN}(?=\s*:)`,
    text: STRING_PATTERN,
    literal: LITERAL_PATTERN,
    pale: String.raw`[{}[\]():,;]+(?:\s+[{}[\]():,;]+)*`,
  },
  toml: {
    pale: String.raw`^\s*#.*$|[[\]{}=,]`,
    plain: String.raw`[\w.-]+(?=\s*=)`,
    text: `${STRING_PATTERN}|'[^'\n]*'`,
    literal: LITERAL_PATTERN,
  },
  shell: {
    json: `'[{[][^']*'`,
    text: `'[^']*'|${STRING_PATTERN}`,
    literal: String.raw`\$\{?\w+\}?`,
    flag: String.raw`(?<=\s)--?(?:[a-zA-Z][\w-]*|(?=\s))`,
    pale: String.raw`\\$|[|;&<>]`,
  },
  search: {
    text: STRING_PATTERN,
    pale: String.raw`\b[a-z_]+:|[(){}]|\b(?:OR|AND)\b`,
    literal: String.raw`(?<!\S)-(?=\S)`,
  },
} as const;

const LANGUAGE_PATTERNS = Object.fromEntries(
  Object.entries(TOKEN_PATTERNS).map(([language, tokens]) => {
    const groups = Object.entries(tokens).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
    return [language, new RegExp(groups.join("|"), "gm")];
  }),
) as Readonly<Record<CodeLanguage, RegExp>>;
