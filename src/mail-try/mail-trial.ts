import { canBeInConflict, findConflict } from "../mail-filter/conflicts.ts";
import type { MailMessage } from "../mail-filter/match/mail-message.ts";
import type { FilterMatcher, Match } from "../mail-filter/match/match-mail-filters.ts";
import { SearchableMail } from "../mail-filter/match/searchable-mail.ts";
import { cutToBytes } from "../text.ts";
import type { RawMail } from "./mail-builder.ts";
import { readMail } from "./read-mail.ts";
import type {
  MailTrialReport,
  SkipReason,
  SortedFilters,
  TrialConflict,
  TriedFilter,
} from "./report.ts";

/** Folders whose mails are tried too; those of the inbox and the archive always are. */
export interface MailTrialOptions {
  readonly includeSpam?: boolean | undefined;
  readonly includeTrash?: boolean | undefined;
}

/** A tried mail, or one that is left out for a reason, with no matches. */
export interface TriedMail {
  readonly id: string;
  readonly message: MailMessage;
  readonly matches: readonly Match[];
  readonly skipped?: SkipReason | undefined;
}

/** Tries filters on mails, one after the other, and counts. */
export class MailTrial {
  readonly filters: readonly FilterMatcher[];
  private readonly counts: FilterCount[];
  /** Every conflict includes at least one of these filters. */
  private readonly conflictCandidates: ReadonlySet<FilterMatcher>;
  private readonly skipped = { chats: 0, sent: 0, spam: 0, trash: 0 };
  private readonly broken = new Map<string, { mails: number; examples: string[] }>();
  private readonly clashes = new Map<string, TrialConflict>();
  private readonly options: MailTrialOptions;
  private mails = 0;

  constructor(filters: readonly FilterMatcher[], options: MailTrialOptions = {}) {
    this.filters = filters;
    this.counts = this.filters.map(() => new FilterCount());
    this.conflictCandidates = new Set(filters.filter(({ actions }) => canBeInConflict(actions)));
    this.options = options;
  }

  /**
   * Tries the filters on a mail.
   *
   * @param nameMail names the mail in the report, should it be broken.
   */
  async take(raw: RawMail, nameMail: () => string): Promise<TriedMail> {
    const { id, message, flaws } = await readMail(raw);
    const skipped = skipReason(message.labels ?? [], this.options);
    if (skipped) {
      this.skipped[skipped] += 1;
      return { id, message, matches: [], skipped };
    }
    this.mails += 1;
    for (const flaw of flaws) this.addBroken(flaw, nameMail);
    const mail = new SearchableMail(message);
    const matches = this.filters.map((filter) => filter.match(mail));
    matches.forEach(({ matched }, index) => {
      if (matched !== "no") this.counts[index]?.add(matched, message);
    });
    this.countConflicts(matches);
    return { id, message, matches };
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
      clashes: [...this.clashes.values()],
    };
  }

  private addBroken(reason: string, nameMail: () => string): void {
    const found = this.broken.get(reason) ?? { mails: 0, examples: [] };
    found.mails += 1;
    if (found.examples.length < MAX_EXAMPLES) found.examples.push(nameMail());
    this.broken.set(reason, found);
  }

  private countConflicts(matches: readonly Match[]): void {
    const taken = this.filters.filter((_, index) => matches[index]?.matched === "yes");
    if (!taken.some((filter) => this.conflictCandidates.has(filter))) return;
    for (const [index, other] of taken.entries()) {
      for (const one of taken.slice(0, index)) {
        const reason = findConflict(one.actions, other.actions);
        if (!reason) continue;
        const filters = [one.title, other.title] as const;
        const key = filters.join("\n");
        const mails = (this.clashes.get(key)?.mails ?? 0) + 1;
        this.clashes.set(key, { filters, reason, mails });
      }
    }
  }
}

const MAX_EXAMPLES = 10;

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
      const subject = cutToBytes(whole, MAX_SUBJECT_BYTES);
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

/** A hostile subject may be as long as the header. */
const MAX_SUBJECT_BYTES = 500;

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
    unmatched: filters.filter(({ at_most }) => at_most === 0),
  };
}

/** Why a mail is left out, by the labels that Google Takeout gives it; undefined for most. */
function skipReason(
  labels: readonly string[],
  { includeSpam = false, includeTrash = false }: MailTrialOptions,
): SkipReason | undefined {
  const has = (folder: keyof typeof NAMES) => labels.some((label) => NAMES[folder].has(label));
  if (has("chats")) return "chats";
  if (has("spam") && !includeSpam) return "spam";
  if (has("trash") && !includeTrash) return "trash";
  return has("sent") && !has("inbox") ? "sent" : undefined;
}

/**
 * Takeout writes Gmail's built-in labels in the language of the account. These names are from
 * programs that read such files (imap-upload, suitenumerique/messages) and from their users'
 * reports (bichon, got-your-back): English, German, Spanish, Catalan, French, Czech.
 */
const NAMES = {
  chats: new Set(["Chat", "Chats"]),
  spam: new Set(["Spam"]),
  trash: new Set(["Trash", "Papierkorb", "Papelera", "Paperera", "Corbeille"]),
  sent: new Set([
    ...["Sent", "Gesendet", "Enviados", "Enviats", "Odesláno"],
    ...["Envoyé", "Messages envoyés", "Mails envoyés"],
  ]),
  inbox: new Set([
    ...["Inbox", "Posteingang", "Recibidos", "Safata d'entrada", "Boîte de réception", "Doručené"],
  ]),
} as const;
