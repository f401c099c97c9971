import { ACTION_FIELDS, type Actions } from "../fields.ts";
import type { FilterMatcher } from "../match/match-mail-filters.ts";
import type { TriedMail } from "./mail-trial.ts";

/** How the filters of a label agree with the mails that Gmail gave it, in numbers of mails. */
export interface LabelAgreement {
  /** Matched by a filter, and labelled. */
  agreed: number;
  /** Labelled, and matched by no filter. */
  missed: number;
  /** Matched, and not labelled. */
  extra: number;
  unknown: number;
}

/** Compares filters that only label with the labels that mails have in Gmail. */
export class Calibration {
  /** One for each label, in the order of the filters; it names none. */
  readonly labels: readonly LabelAgreement[];
  private readonly filtersByLabel: ReadonlyMap<string, readonly number[]>;

  constructor(filters: readonly FilterMatcher[]) {
    const actions = filters.map((filter) => filter.actions);
    const labels = new Set(actions.filter(onlyLabels).map(({ label = "" }) => label));
    this.filtersByLabel = new Map(
      Array.from(labels, (label) => [
        label,
        actions.flatMap((filter, index) => (filter.label === label ? [index] : [])),
      ]),
    );
    this.labels = Array.from(labels, () => ({ agreed: 0, missed: 0, extra: 0, unknown: 0 }));
  }

  /** Counts a mail; one without Gmail's labels is skipped. */
  add({ message, matches }: TriedMail): void {
    if (message.labels === undefined) return;
    const labels = new Set(message.labels.map((label) => label.toLowerCase()));
    for (const [place, [label, filters]] of [...this.filtersByLabel].entries()) {
      const agreement = this.labels[place];
      if (!agreement) continue;
      const verdicts = filters.map((index) => matches[index]?.matched);
      const isLabelled = labels.has(label.toLowerCase());
      if (verdicts.includes("yes")) agreement[isLabelled ? "agreed" : "extra"] += 1;
      else if (verdicts.includes("unknown")) agreement.unknown += 1;
      else if (isLabelled) agreement.missed += 1;
    }
  }
}

const onlyLabels = (actions: Actions): boolean =>
  ACTION_FIELDS.every((field) => (field === "label") === Boolean(actions[field]));
