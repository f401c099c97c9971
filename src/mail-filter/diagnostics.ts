import type { MailFilterResult } from "../../schemas/mail-filter.ts";
import type { Diagnostics } from "../issues.ts";
import { plural } from "../text.ts";

type Code = MailFilterResult["warnings"][number]["code"];

/** Collects the issues and warnings of a mail filter input; the compiler knows the codes. */
export type FilterDiagnostics = Diagnostics<Code>;

/** The diagnostics of one item: those who read it do not know its path. */
export type ItemDiagnostics = Pick<FilterDiagnostics, "reject" | "warn" | "info">;

/** The diagnostics of a part of an item: without infos, as the whole item reports one of its own. */
export const withoutInfos = (diagnostics: ItemDiagnostics): ItemDiagnostics => ({
  reject: (message) => diagnostics.reject(message),
  warn: (code, message) => diagnostics.warn(code, message),
  info: () => {},
});

/**
 * Collects the findings about the items of a list and reports at most one per item: the first
 * issue, else the first warning, else the first info. Items with the same info share one.
 */
export class ListDiagnostics implements ItemDiagnostics {
  private readonly list: FilterDiagnostics;
  private issue: string | undefined;
  private warning: Found | undefined;
  private firstInfo: Found | undefined;
  private infos: Map<Code, SharedInfo> | undefined;

  constructor(list: FilterDiagnostics) {
    this.list = list;
  }

  reject(message: string): void {
    this.issue ??= message;
  }

  warn(code: Code, message: string): void {
    this.warning ??= { code, message };
  }

  info(code: Code, message: string): void {
    this.firstInfo ??= { code, message };
  }

  /** Reports the finding about an item since the last call. */
  endItem(index: number): void {
    const { issue, warning, firstInfo } = this;
    if (issue !== undefined) this.list.at(index).reject(issue);
    else if (warning) this.list.at(index).warn(warning.code, warning.message);
    else if (firstInfo) this.share(firstInfo, index);
    this.issue = undefined;
    this.warning = undefined;
    this.firstInfo = undefined;
  }

  endList(): void {
    for (const [code, { index, message, more }] of this.infos ?? []) {
      if (more === 0) this.list.at(index).info(code, message);
      else this.list.info(code, `${message} (the same for ${plural(more, "more item")})`);
    }
  }

  private share({ code, message }: Found, index: number): void {
    this.infos ??= new Map();
    const known = this.infos.get(code);
    if (known) known.more += 1;
    else this.infos.set(code, { index, message, more: 0 });
  }
}

interface Found {
  readonly code: Code;
  readonly message: string;
}

interface SharedInfo {
  /** The index of the first item. */
  readonly index: number;
  readonly message: string;
  more: number;
}
