import type { FilterInput } from "../../schemas/mail-filter.ts";
import type { Findings, Path } from "../issues.ts";
import { readLabel } from "./label.ts";

/** What happens to the mail. */
export interface Actions {
  readonly label: string | undefined;
  readonly skipInbox: boolean;
  readonly markRead: boolean;
  readonly star: boolean;
  readonly neverSpam: boolean;
  readonly importance: FilterInput["importance"];
  readonly delete: boolean;
  readonly category: FilterInput["category"];
  readonly forwardTo: string | undefined;
}

export function readActions(filter: FilterInput, path: Path, findings: Findings): Actions {
  return {
    label:
      filter.label === undefined
        ? undefined
        : readLabel(filter.label, [...path, "label"], findings),
    skipInbox: filter.skip_inbox === true,
    markRead: filter.mark_read === true,
    star: filter.star === true,
    neverSpam: filter.never_spam === true,
    importance: filter.importance,
    delete: filter.delete === true,
    category: filter.category,
    forwardTo: filter.forward_to,
  };
}
