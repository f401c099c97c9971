import type { Warning } from "../../schemas/index.ts";
import type { Html } from "./html.ts";

/** What a view may need beside its tool's result. */
interface ViewContext {
  /** Where the result's file can be downloaded. */
  readonly fileHref: string | undefined;
  /** The warnings on parts of the result; those on the input stand beside their fields. */
  readonly warnings: readonly Warning[];
}

/** How a tool looks on its page beyond its form: the only markup that is made for one tool. */
export interface View<Result = unknown> {
  /** What the tool is good for, in a sentence or two for people. */
  readonly lead: string;
  /** What came out, in a short sentence; it is read out to who cannot see the rest. */
  summary(result: Result): string;
  body(result: Result, context: ViewContext): Html;
  /** A taste of a result, for a card on the home page. */
  teaser(result: Result): Html;
  /** What there is to know besides, below form and result: headings of level 2 and their texts. */
  readonly about: Html;
}
