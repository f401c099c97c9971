import { cutToBytes } from "../../text.ts";
import { mayOppose, oppositeActions } from "../conflicts.ts";
import type { RawMail } from "../mailbox/mail-builder.ts";
import type { MimeParser } from "../mailbox/mime-parser.ts";
import { type MailHeader, parseBody, readHeader, readOrdinaryBody } from "../mailbox/read-mail.ts";
import type { MailMessage } from "../match/mail-message.ts";
import { MailReading } from "../match/mail-reading.ts";
import type { FilterMatcher, Match } from "../match/match-mail-filters.ts";
import { skipReason } from "./gmail-labels.ts";
import type { MailTrialReport, SkipReason, SortedFilters, TriedFilter } from "./report.ts";

/** Mails to try besides those in the inbox and the archive. */
export interface MailTrialOptions {
  readonly includeSpam?: boolean | undefined;
  readonly includeTrash?: boolean | undefined;
}

/** A tried mail; its message has the header alone. */
export interface TriedMail {
  readonly id: string;
  readonly message: MailMessage;
  readonly matches: readonly Match[];
}

/** A mail that is left out. */
interface SkippedMail {
  readonly id: string;
  readonly skipped: SkipReason;
}

/** Tries filters on mails, one after the other, and counts. */
export class MailTrial {
  readonly filters: readonly FilterMatcher[];
  private readonly counts: FilterCount[];
  /** The places of filters of which one is in each clash. */
  private readonly opposing: ReadonlySet<number>;
  private readonly skipped = { chats: 0, sent: 0, spam: 0, trash: 0 };
  private readonly broken = new Map<string, { mails: number; examples: string[] }>();
  private readonly clashes = new Map<
    string,
    { pair: readonly [number, number]; reason: string; mails: number }
  >();
  private readonly options: MailTrialOptions;
  private readonly mime: MimeParser;
  private mails = 0;

  constructor(filters: readonly FilterMatcher[], mime: MimeParser, options: MailTrialOptions = {}) {
    this.filters = filters;
    this.counts = this.filters.map(() => new FilterCount());
    this.opposing = new Set(
      filters.flatMap(({ actions }, index) => (mayOppose(actions) ? [index] : [])),
    );
    this.options = options;
    this.mime = mime;
  }

  /**
   * Tries the filters on a mail.
   *
   * @param place names the mail in the report, should it be broken.
   * @returns why, for a mail that is left out.
   */
  async take(raw: RawMail, place: () => string): Promise<TriedMail | SkippedMail> {
    const header = readHeader(raw, this.mime);
    const skipped = skipReason(header.message.labels ?? [], this.options);
    if (skipped) {
      this.skipped[skipped] += 1;
      return { id: header.id, skipped };
    }
    this.mails += 1;
    if (!raw.hasHeader) this.addBroken("has no header", place);
    if (raw.cut) this.addBroken(CUT[raw.cut], place);
    const tried = await this.tryFilters(header, raw, place);
    tried.matches.forEach(({ matched }, index) => {
      if (matched !== "no") this.counts[index]?.add(matched, tried.message);
    });
    this.findClashes(tried.matches);
    return tried;
  }

  report(): MailTrialReport {
    return {
      filters: this.filters.map(({ name, search }, index) => ({
        name,
        search,
        ...(this.counts[index] ?? new FilterCount()).report(),
      })),
      mails: this.mails,
      skipped: { ...this.skipped },
      broken: Array.from(this.broken, ([reason, found]) => ({ reason, ...found })),
      clashes: Array.from(this.clashes.values(), ({ pair: [one, other], reason, mails }) => ({
        filters: [this.filters[one]?.title ?? "", this.filters[other]?.title ?? ""] as const,
        reason,
        mails,
      })),
    };
  }

  addBroken(reason: string, place: () => string): void {
    const found = this.broken.get(reason) ?? { mails: 0, examples: [] };
    found.mails += 1;
    if (found.examples.length < MOST_EXAMPLES) found.examples.push(place());
    this.broken.set(reason, found);
  }

  /** Of most mails the body is read when a filter asks for it, of others when one is unsure. */
  private async tryFilters(
    header: MailHeader,
    raw: RawMail,
    place: () => string,
  ): Promise<TriedMail> {
    const { id, message } = header;
    const ordinary = readOrdinaryBody(header, raw, this.mime);
    const reading = new MailReading(ordinary ?? message);
    const matches = this.filters.map((filter) => filter.match(reading));
    if (ordinary || !matches.some(({ matched }) => matched === "unknown")) {
      return { id, message, matches };
    }
    const rereading = new MailReading(await this.withBody(header, raw, place), reading);
    return { id, message, matches: this.filters.map((filter) => filter.match(rereading)) };
  }

  private async withBody(header: MailHeader, raw: RawMail, place: () => string) {
    try {
      return await parseBody(header, raw, this.mime);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      // The parser rejects what is hostile; the header has been read.
      this.addBroken("has a body that cannot be parsed", place);
      return header.message;
    }
  }

  private findClashes(matches: readonly Match[]): void {
    const taken: number[] = [];
    matches.forEach(({ matched }, index) => {
      if (matched === "yes") taken.push(index);
    });
    if (!taken.some((index) => this.opposing.has(index))) return;
    for (const [place, other] of taken.entries()) {
      for (const one of taken.slice(0, place)) {
        const key = `${one} ${other}`;
        const known = this.clashes.get(key);
        if (known) known.mails += 1;
        else {
          const [a, b] = [this.filters[one], this.filters[other]];
          const reason = a && b && oppositeActions(a.actions, b.actions);
          if (reason) this.clashes.set(key, { pair: [one, other], reason, mails: 1 });
        }
      }
    }
  }
}

const MOST_EXAMPLES = 10;

const CUT = {
  "too-long": "has more text than is read",
  encoding: "has a text in an encoding that is not known",
  "ends-early": "is truncated",
} as const satisfies Record<NonNullable<RawMail["cut"]>, string>;

/** The mails that one filter matches. */
class FilterCount {
  private readonly sure: string[] = [];
  private readonly unsure: string[] = [];
  private yes = 0;
  private unknown = 0;
  private last = "";

  add(matched: "yes" | "unknown", { subject: whole = "", date = "" }: MailMessage): void {
    const subjects = matched === "yes" ? this.sure : this.unsure;
    if (subjects.length < SUBJECTS) {
      const subject = cutToBytes(whole, MOST_SUBJECT_BYTES);
      if (!subjects.includes(subject)) subjects.push(subject);
    }
    this[matched] += 1;
    if (matched === "yes" && date > this.last) this.last = date;
  }

  report(): Omit<TriedFilter, "name" | "search"> {
    return {
      at_least: this.yes,
      at_most: this.yes + this.unknown,
      last: this.last === "" ? null : this.last,
      subjects: this.yes > 0 ? [...this.sure] : [...this.unsure],
    };
  }
}

const SUBJECTS = 3;

/** A hostile mail may have one as long as its header. */
const MOST_SUBJECT_BYTES = 500;

export function sortFilters(
  { filters }: MailTrialReport,
  matchers: readonly FilterMatcher[],
): SortedFilters {
  const titled = filters.map((filter, index) => ({
    ...filter,
    name: matchers[index]?.title ?? filter.name,
  }));
  const having = (field: "delete" | "forward_to") =>
    titled.filter(({ at_most }, index) => at_most > 0 && matchers[index]?.actions[field]);
  const [deleting, forwarding] = [having("delete"), having("forward_to")];
  return {
    deleting,
    forwarding,
    others: titled.filter(
      (filter) => filter.at_most > 0 && !deleting.includes(filter) && !forwarding.includes(filter),
    ),
    idle: filters.filter(({ at_most }) => at_most === 0),
  };
}
