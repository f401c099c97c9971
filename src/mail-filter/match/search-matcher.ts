import { operatorKind } from "../gmail.ts";
import { printSearch, type Search, type SearchLeaf } from "../terms/search.ts";
import type { MatchOptions } from "./mail-message.ts";
import {
  eitherReading,
  type Matcher,
  matchAll,
  matchAny,
  matchNot,
  unknownMatcher,
} from "./matcher.ts";
import {
  attachmentMatcher,
  dateMatcher,
  fileNameMatcher,
  folderMatcher,
  sizeMatcher,
} from "./operators.ts";
import { toWantedWord } from "./wanted-word.ts";
import { addressMatcher, fieldMatcher, wordMatcher } from "./word-matcher.ts";

/** Prepares a search to be matched with many mails. */
export function searchMatcher(search: Search, options: MatchOptions): Matcher {
  const toMatchers = (parts: readonly Search[]) =>
    parts.map((part) => searchMatcher(part, options));
  switch (search.kind) {
    case "leaf":
      return leafMatcher(search, options);
    case "not":
      return matchNot(searchMatcher(search.of, options));
    case "all":
      return matchAll(toMatchers(search.parts));
    case "any":
      return matchAny(toMatchers(search.parts), printSearch(search));
    case "unsure":
      return eitherReading(toMatchers(search.readings), search.written, search.reason);
  }
}

/** The matcher of one word or phrase, after an operator or without one. */
function leafMatcher(leaf: SearchLeaf, options: MatchOptions): Matcher {
  const { operator = "", text, unclear } = leaf;
  const term = printSearch(leaf);
  if (unclear !== undefined) return unknownMatcher(term, unclear);
  const word = toWantedWord(leaf);
  switch (operatorKind(operator)) {
    case undefined:
      return wordMatcher(term, word, options);
    case "address":
      return addressMatcher(term, operator, word, options);
    case "list":
      return fieldMatcher(term, "list", { ...word, address: undefined });
    case "size":
      return sizeMatcher(term, text);
    case "since":
    case "until":
      return dateMatcher(term, operator, text, options);
    default:
  }
  if (operator === "subject") return fieldMatcher(term, "subject", word);
  if (operator === "filename") return fileNameMatcher(term, word);
  if (operator === "has" && /^attachment$/i.test(text)) return attachmentMatcher(term);
  if (FOLDERS.test(`${operator}:${text}`)) return folderMatcher(term, text.toLowerCase());
  return unknownMatcher(term, "asks for what only Gmail knows");
}

/** What mail that arrives surely is, or is not yet. */
const FOLDERS = /^(?:in:(?:anywhere|spam|trash|drafts?|chats?)|is:chat)$/i;
