import type { Warning } from "../../schemas/index.ts";
import type { Html } from "./html.ts";

/** What a view may need besides its tool's result. */
interface ViewContext {
  /** The address of the result's file. */
  readonly fileHref: string | undefined;
  /** The warnings about parts of the result. Those about the input stand beside their fields. */
  readonly warnings: readonly Warning[];
}

/** The markup of one tool's result. Everything else on its page is computed from the contract. */
export interface View<Result = unknown> {
  /** What the tool does for its user, in a sentence or two. */
  readonly lead: string;
  /** The result in a short sentence, which is also announced to screen readers. */
  summary(result: Result): string;
  body(result: Result, context: ViewContext): Html;
  /** An excerpt of a result, for a card on the home page. */
  teaser(result: Result): Html;
  /** Background, below form and result: headings of level 2 and their texts. */
  about(): Html;
}
