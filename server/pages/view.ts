import type { Warning } from "../../schemas/index.ts";
import type { FormText } from "./form/form-fields.ts";
import type { Html } from "./html.ts";

/** The markup of one tool's result. Everything else on its page is computed from the contract. */
export interface View<Result = unknown> {
  /** What one gets, in two words: "Gmail filters". */
  readonly product: string;
  /** The button that leads to the tool. */
  readonly action: string;
  /** What the tool does for its user, in a sentence or two. */
  readonly lead: string;
  /** The words and groups of the form. */
  readonly form?: FormText;
  /** Inputs to start from, shown beside an empty form. */
  readonly presets?: readonly Preset[];
  /** The next step for an input that is not finished, in a sentence. */
  next?(input: unknown): string | undefined;
  /** Inputs whose results the body compares with this one. */
  compare?(input: unknown): readonly unknown[];
  /** What a result would do that its user should know before they trust a link. */
  effects?(result: Result, input: unknown): readonly string[];
  /** The result in a short sentence, which is also announced to screen readers. */
  summary(result: Result): string;
  body(result: Result, context: ViewContext<Result>): Html;
  /** An excerpt of a result, for a card on the home page. */
  teaser(result: Result): Html;
  /** Reads an existing file or a pasted text. */
  readonly reader?: TextReader;
}

interface Preset {
  readonly title: string;
  readonly input: object;
}

/** What a view may need besides its tool's result. */
interface ViewContext<Result> {
  /** The address of the result's file, if the input fits into one. */
  readonly fileHref: string | undefined;
  /** The warnings about parts of the result. Those about the input stand beside their fields. */
  readonly warnings: readonly Warning[];
  /** The results for the inputs of `compare`. */
  readonly compared: readonly Result[];
}

/** Turns a text into an input: a file, or a text pasted into one field. */
interface TextReader {
  /** Such as "Open a config file". */
  readonly label: string;
  /** The types of files, as an `input` of type `file` takes them. */
  readonly accept: string;
  /**
   * Undefined for a text that is none of its kind. Without this function the tool itself reads its
   * product.
   *
   * @param isPasted whether the text was pasted into a field instead of opened as a file.
   */
  read?(text: string, isPasted: boolean): Promise<ReadText | undefined>;
}

export interface ReadText {
  readonly input: object;
  /** What was read and what was left out, in a sentence. */
  readonly summary: string;
}
