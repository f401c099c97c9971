import { type FilterInput, mailFilterMergeInput } from "../../../schemas/mail-filter.ts";
import { Diagnostics } from "../../issues.ts";
import { validInput } from "../../tool.ts";
import { validate } from "../../validate.ts";
import type { FilterDiagnostics } from "../diagnostics.ts";
import type { Actions } from "../fields.ts";
import { furtherIssues, readFilter } from "../filter.ts";
import { shortened } from "../gmail-export/entry-line.ts";
import { type Criteria, inBytes, searchSize } from "../terms/criteria.ts";
import { anyOf, type Condition, type Finding, not } from "./condition.ts";
import {
  type MailMessage,
  MailMessageSchema,
  type MatchOptions,
  MatchOptionsSchema,
} from "./mail-message.ts";
import { MailReading } from "./mail-reading.ts";
import { hasAttachment, sizeCondition } from "./operators.ts";
import { searchCondition } from "./search-condition.ts";
import type { Verdict } from "./verdict.ts";

/** The result of trying one filter on a mail. */
export interface Match {
  readonly matched: Verdict;
  /** The terms that decide: all for a yes, the first one for a no, all unknown ones else. */
  readonly because: readonly Finding[];
}

/**
 * Tells which filters match a mail, by the rules of Gmail's search as far as they are known.
 * It is an estimate: what no source settles is `unknown`, and never a guess.
 *
 * @param filters up to 10,000, within the limits "gmail" otherwise.
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
  const reading = new MailReading(validate(MailMessageSchema, message, ["message"]));
  validate(MatchOptionsSchema, options, ["options"]);
  const valid = validInput(mailFilterMergeInput, { filters }, furtherIssues);
  return filterMatchers(valid.filters, options).map(({ match }) => match(reading));
}

/** A filter that is ready to be tried on many mails. */
export interface FilterMatcher {
  readonly name: string;
  /** The name, with what tells it from other filters of that name. */
  readonly title: string;
  readonly search: string;
  readonly actions: Actions;
  match(mail: MailReading): Match;
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
  const diagnostics: FilterDiagnostics = Diagnostics.start();
  const read = filters.map((filter, index) =>
    readFilter(filter, index, diagnostics.at("filters", index)),
  );
  diagnostics.throwIfRejected();
  const titles = titlesOf(read);
  return read.map(({ name, search, criteria, actions }, index) => {
    const conditions = conditionsOf(criteria, options);
    return {
      name,
      title: titles[index] ?? name,
      search,
      actions,
      match: (mail) => match(conditions, mail),
    };
  });
}

/** Names; where one repeats, with the search, and where that repeats too, with the place. */
function titlesOf(filters: readonly Pick<FilterMatcher, "name" | "search">[]): readonly string[] {
  const names = filters.map(({ name }) => name);
  const repeated = repeatedIn(names);
  const titles = filters.map(({ name, search }) =>
    repeated.has(name) ? `${name} (${shortened(search)})` : name,
  );
  const same = repeatedIn(titles);
  return titles.map((title, index) => (same.has(title) ? `${title}, filter ${index + 1}` : title));
}

function repeatedIn(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(texts.filter((text) => seen.size === seen.add(text).size));
}

function match(conditions: readonly Condition[], mail: MailReading): Match {
  const first = conditions[0]?.(mail);
  // Most filters do not match most mails, which their first condition decides.
  if (first?.verdict === "no") return { matched: "no", because: [first] };
  const found = first ? [first] : [];
  for (const condition of conditions.slice(1)) {
    const finding = condition(mail);
    if (finding.verdict === "no") return { matched: "no", because: [finding] };
    found.push(finding);
  }
  const unknown = found.filter(({ verdict }) => verdict === "unknown");
  return unknown.length > 0
    ? { matched: "unknown", because: unknown }
    : { matched: "yes", because: found };
}

/** The conditions of a filter, all of which must hold, those that are quickest to ask first. */
function conditionsOf(criteria: Criteria, options: MatchOptions): readonly Condition[] {
  const { from, to, subject, words, exclusions, larger, smaller } = criteria;
  const field = (operator: string, terms: readonly string[]): Condition[] => {
    if (terms.length === 0) return [];
    const conditions = terms.map((term) => searchCondition(term, options, operator));
    return [anyOf(conditions, `${operator}:(${terms.join(" OR ")})`)];
  };
  return [
    ...field("from", from),
    ...field("to", to),
    ...field("subject", subject),
    ...(larger ? [sizeCondition(`larger:${searchSize(larger)}`, inBytes(larger))] : []),
    ...(smaller ? [sizeCondition(`smaller:${searchSize(smaller)}`, inBytes(smaller))] : []),
    ...(criteria.hasAttachment ? [hasAttachment("has:attachment")] : []),
    ...words.map(({ text }) => searchCondition(text, options)),
    ...exclusions.map((term) => not(searchCondition(term, options))),
  ];
}
