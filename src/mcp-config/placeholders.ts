/**
 * Finds a placeholder that the user should have replaced, as in documentation examples.
 *
 * @param name the variable that holds the value.
 */
export function findPlaceholder(value: string, name = ""): string | undefined {
  if (isName(name, value)) return value;
  if (!MAY_BE_PLACEHOLDER.test(value)) return undefined;
  const text = value.replace(/\$\{[^}]*\}/g, "");
  for (const pattern of PLACEHOLDER_PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const before = /[\w-]*$/.exec(text.slice(0, found.index))?.[0] ?? "";
    return before + found[0];
  }
  return undefined;
}

/** Removes the first placeholders. A user and a password count as two. */
export function withoutPlaceholders(value: string, name: string): string {
  const first = findPlaceholder(value, name);
  if (first === undefined) return value;
  const rest = value.replaceAll(first, "");
  const second = findPlaceholder(rest);
  return second === undefined ? rest : rest.replaceAll(second, "");
}

/** `API_KEY: "api_key"`. For a one-word name, this may be a real value: `USER: "user"`. */
const isName = (name: string, value: string): boolean =>
  name.length === value.length &&
  name.includes("_") &&
  value.replaceAll("-", "_").toLowerCase() === name.toLowerCase();

/** A quick check that every placeholder passes. Most values do not. */
const MAY_BE_PLACEHOLDER =
  /your|[/\\ ]to|here$|place|change|name|x{3}|[<{*…@]|\.{3}|0\.0\.0|(?:insert|paste|enter|put|add)_/i;

/** Tested on 791 servers in the documents and configs of 47 repositories, with no false matches. */
const PLACEHOLDER_PATTERNS: readonly RegExp[] = [
  // `your-host.example`, but not Hetzner's hosts
  /(?<![A-Za-z])(?!your-(?:server|storagebox)\.de|your-objectstorage\.com)your[-_.][a-z][\w.-]*/,
  // `YOUR_KEY`, `yourToken`, `yourtoken`, but not a sentence
  /(?<![A-Za-z])(?:YOUR[-_. ]?|[Yy]our[-_.]?)[A-Z][\w.-]*/,
  /(?<![A-Za-z])your(?:api|token|key|domain|company|host|org|name|user|pass|account|secret)[\w.-]*/,
  /^(?:your|path to your) [a-z][\w.-]*/,
  // `{ABSOLUTE_PATH}/x`, `{workspaceFolder}/x`; `${workspaceFolder}` is a variable
  /(?<!\$)\{(?:[A-Z]+(?:_[A-Z]+)+|workspaceFolder)\}/,
  // `<token>`, `{{token}}`, and `{token}` alone or after a scheme or an equals sign
  /<\$?[A-Za-z][\w .:/-]*>|\{\{ *[A-Za-z]\w* *\}\}|(?<=^(?:[\w-]+[ =])?)\{[A-Za-z][\w -]*\}$/,
  // `xxx`, `sk-xxxx`
  /(?<![A-Za-z\d])(?:x{3,}|X{3,})(?![A-Za-z\d])/,
  // `***`, `ghp_****`, `ghp_...`
  /^\*{3}$|(?<![*/])\*{4,}(?![*/])|(?:^|(?<=[\w=-]))(?:\.{3}|…)$/,
  // `/path/to/server`, `{path-to-project}/x`
  /(?:^|[=:\\/{])(?:absolute[\\/])?path[\\/]to(?:[\\/]|$)|(?:^|[=:])[{<]path-to-[\w-]+[}>]/i,
  // `C:\Users\username`
  /[\\/](?:Users|home)[\\/](?:username|your-?name)(?:[\\/]|$)/i,
  // `PLACEHOLDER_VERSION`, `REPLACE_ME`, `changeme`, `api-key-here`
  /(?<![A-Za-z-])placeholder(?![a-z])\w*|(?<=\w)[-_]here$/i,
  /(?<![A-Za-z])(?:replace[-_]?(?:me|with|this)|change[-_]?me)(?![a-z])\w*/i,
  /(?<![A-Za-z])(?:INSERT|PASTE|ENTER|PUT|ADD)_[A-Z_]+/,
  // `postgres://USER:PASSWORD@HOST/db`
  /(?<=:\/\/)(?:username:password|USER(?:NAME)?:PASS(?:WORD)?)(?=@)/,
  /(?<=@)(?:host|HOST|hostname)(?=[:/]|$)/,
  // A package version that is never released
  /(?<=\w)(?:@|==|:)v?0\.0\.0$/,
];
