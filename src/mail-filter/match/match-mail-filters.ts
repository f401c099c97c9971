import type { FilterInput } from "../../../schemas/mail-filter.ts";
import { Findings } from "../../findings.ts";
import { validate } from "../../validate.ts";
import { type Actions, LIST_FIELDS } from "../fields.ts";
import { abbreviate, readFilters } from "../filter.ts";
import { type FilterFindings, filterFindings } from "../findings.ts";
import { validFilters } from "../further-issues.ts";
import { type Criteria, inBytes, searchSize } from "../terms/criteria.ts";
import { not } from "../terms/search.ts";
import { fieldSearch } from "../write.ts";
import {
  type MailMessage,
  MailMessageSchema,
  type MatchOptions,
  MatchOptionsSchema,
} from "./mail-message.ts";
import { type Finding, type Matcher, matchAny } from "./matcher.ts";
import { attachmentMatcher, boundMatcher } from "./operators.ts";
import { searchMatcher } from "./search-matcher.ts";
import { SearchableMail } from "./searchable-mail.ts";
import type { Verdict } from "./searchable-text.ts";

/** The result of trying one filter on a mail. */
export interface Match {
  readonly matched: Verdict;
  /** The terms that decide: all terms for a yes, the first that fails for a no, all unknown ones otherwise. */
  readonly because: readonly Finding[];
}

/**
 * Tells which filters match a mail, by the rules of Gmail's search as far as they are known.
 * It is an estimate: what no source settles is `unknown`, and never a guess.
 *
 * @param filters up to 10,000, each within the local limits.
 * @returns one match for each filter, in order.
 * @throws {InvalidInputError} when a filter, the message or an option breaks its schema, or Gmail
 * cannot express a filter.
 *
 * @example
 * const filters = [{ from: ["@shop.example"], subject: ["invoice"], label: "Bills" }];
 * const mail = { from: "Shop <no-reply@mail.shop.example>", subject: "Your invoice" };
 * matchMailFilters(filters, mail)[0].matched; // yes
 */
export function matchMailFilters(
  filters: readonly FilterInput[],
  message: MailMessage,
  options: MatchOptions = {},
): Match[] {
  const mail = new SearchableMail(validate(MailMessageSchema, message, ["message"]));
  validate(MatchOptionsSchema, options, ["options"]);
  const valid = validFilters({ filters });
  return filterMatchers(valid, options).map(({ match }) => match(mail));
}

/** A filter that is ready to be tried on many mails. */
export interface FilterMatcher {
  readonly name: string;
  /** The name, with what tells it from other filters of that name. */
  readonly title: string;
  readonly search: string;
  readonly actions: Actions;
  match(mail: SearchableMail): Match;
}

/**
 * Prepares filters that are valid by the schema.
 *
 * @throws {InvalidInputError} for one that Gmail cannot express.
 */
export function filterMatchers(
  filters: readonly FilterInput[],
  options: MatchOptions,
): readonly FilterMatcher[] {
  const findings: FilterFindings = new Findings(filterFindings);
  const read = readFilters(filters, findings);
  findings.throwIfRejected();
  const titles = makeTitles(read);
  return read.map(({ name, search, criteria, actions }, index) => {
    const matchers = toMatchers(criteria, options);
    return {
      name,
      title: titles[index] ?? name,
      search,
      actions,
      match: (mail) => match(matchers, mail),
    };
  });
}

/** The names of the filters. A repeated name gets its search, and a repeated search its number. */
function makeTitles(filters: readonly Pick<FilterMatcher, "name" | "search">[]): readonly string[] {
  const names = filters.map(({ name }) => name);
  const repeated = findRepeated(names);
  const titles = filters.map(({ name, search }) =>
    repeated.has(name) ? `${name} (${abbreviate(search)})` : name,
  );
  const same = findRepeated(titles);
  return titles.map((title, index) => (same.has(title) ? `${title}, filter ${index + 1}` : title));
}

function findRepeated(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

function match(matchers: readonly Matcher[], mail: SearchableMail): Match {
  const first = matchers[0]?.(mail);
  // Most mails fail the first condition of most filters; a list for each would take a tenth of the time.
  if (first?.verdict === "no") return { matched: "no", because: [first] };
  const found = first ? [first] : [];
  for (const matcher of matchers.slice(1)) {
    const finding = matcher(mail);
    if (finding.verdict === "no") return { matched: "no", because: [finding] };
    found.push(finding);
  }
  const unknown = found.filter(({ verdict }) => verdict === "unknown");
  return unknown.length > 0
    ? { matched: "unknown", because: unknown }
    : { matched: "yes", because: found };
}

/** The conditions of a filter, the quickest first. All of them must hold. */
function toMatchers(criteria: Criteria, options: MatchOptions): readonly Matcher[] {
  const { words, exclusions, larger, smaller } = criteria;
  const lists = LIST_FIELDS.filter((field) => criteria[field].length > 0);
  return [
    ...lists.map((field) => {
      const matchers = criteria[field].map(({ search }) => searchMatcher(search, options));
      return matchAny(matchers, fieldSearch(field, criteria[field]));
    }),
    ...(larger ? [boundMatcher(`larger:${searchSize(larger)}`, inBytes(larger))] : []),
    ...(smaller ? [boundMatcher(`smaller:${searchSize(smaller)}`, inBytes(smaller))] : []),
    ...(criteria.hasAttachment ? [attachmentMatcher("has:attachment")] : []),
    ...words.map(({ search }) => searchMatcher(search, options)),
    ...exclusions.map(({ search }) => searchMatcher(not(search), options)),
  ];
}
