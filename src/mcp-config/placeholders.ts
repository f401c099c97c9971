import type { McpFindings } from "./findings.ts";
import type { ServerText } from "./server.ts";

/** Warns of each text that the user should have replaced by a value, as in examples of servers. */
export function warnAboutPlaceholders(texts: readonly ServerText[], findings: McpFindings): void {
  for (const text of texts) {
    const found = findPlaceholder(text);
    if (found !== undefined) findings.at(...text.path).add("placeholder", { text: found });
  }
}

function findPlaceholder({ path: [field, name], value }: ServerText): string | undefined {
  if (field === "env" && isName(String(name), value)) return value;
  if (!LIKELY.test(value)) return undefined;
  const text = value.replace(/\$\{[^}]*\}/g, "");
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return wordAt(text, found.index, found.index + found[0].length);
  }
  return undefined;
}

/** The part of a text, with the letters directly before it. */
function wordAt(text: string, start: number, end: number): string {
  let first = start;
  while (/[\w-]/.test(text.charAt(first - 1))) first -= 1;
  return text.slice(first, end);
}

/** `API_KEY: "api_key"`. A name of one word may be its value: `USER: "user"`. */
const isName = (name: string, value: string): boolean =>
  name.length === value.length &&
  name.includes("_") &&
  value.replaceAll("-", "_").toLowerCase() === name.toLowerCase();

/** A quick test: every placeholder matches it, and most values do not. */
const LIKELY =
  /your|[/\\ ]to[/\\ ]|here$|placeholder|replace|change|name|x{3}|[<{*…@]|\.\.\.|0\.0\.0|(?:insert|paste|enter|put|add)_/i;

/**
 * Tried on the values of 791 servers in the documents and configs of 47 repositories: what they find
 * there is a placeholder.
 */
const PATTERNS: readonly RegExp[] = [
  // `YOUR_KEY`, `your-host.example`, `yourToken`, but no sentence, and no host of Hetzner's.
  /(?<![A-Za-z])(?!your-(?:server|storagebox)\.de|your-objectstorage\.com)(?:your[-_.][a-z]|YOUR[-_. ]?[A-Z]|[Yy]our[-_.]?[A-Z]|your(?:api|token|key|domain|company|host|org|name|user|pass|project|workspace|instance|account|secret)|(?<=^)(?:your|path to your) [a-z])[\w.-]*/,
  // `<token>`, `{{token}}`, and `{token}` alone or after a scheme or an equals sign.
  /<\$?[A-Za-z][\w .:/-]*>|\{\{ *[A-Za-z]\w* *\}\}|(?<=^(?:[\w-]+[ =])?)\{[A-Za-z][\w -]*\}$/,
  // `xxx`, `sk-xxxx`, `***`, `ghp_****`, `ghp_...`
  /(?<![A-Za-z\d])(?:x{3,}|X{3,})(?![A-Za-z\d])|^\*{3}$|(?<![*/])\*{4,}(?![*/])|^(?:\.{3}|…)$|(?<=[\w=-])(?:\.{3}|…)$/,
  // `/path/to/server`, `C:\Users\username`
  /(?:^|[=:\\/{])(?:absolute[\\/])?path[\\/]to(?:[\\/]|$)|[\\/](?:Users|home)[\\/](?:username|your-?name)(?:[\\/]|$)/i,
  // `PLACEHOLDER_VERSION`, `REPLACE_ME`, `changeme`, `api-key-here`
  /(?<![A-Za-z-])placeholder(?![a-z])\w*|(?<![A-Za-z])(?:replace[-_]?(?:me|with|this)|change[-_]?me)(?![a-z])\w*|(?<=\w)[-_]here$/i,
  /(?<![A-Za-z])(?:INSERT|PASTE|ENTER|PUT|ADD)_[A-Z_]+/,
  // `postgres://USER:PASSWORD@HOST/db`
  /(?<=:\/\/)(?:username:password|USER(?:NAME)?:PASS(?:WORD)?)(?=@)|(?<=@)(?:host|HOST|hostname)(?=[:/]|$)/,
  // A package's version that is never released.
  /(?<=\w)(?:@|==|:)v?0\.0\.0$/,
];
