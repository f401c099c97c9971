import type { PriceBook, Warning } from "../../schemas/index.ts";
import type { RunOptions } from "../../src/tool.ts";
import type { SubmittedForm } from "./form/form-data.ts";
import type { FormText } from "./form/form-fields.ts";
import type { Html } from "./html.ts";

/**
 * A tool's own part of its page: its texts and presets, the markup of its result, and the files that it
 * reads. The rest is computed from the contract.
 */
export interface View<Result = unknown, Report = unknown> {
  /** The product in two words: "Gmail filters". */
  readonly product: string;
  readonly action: string;
  readonly lead: string;
  readonly form?: FormText;
  /** The options of every run on the page and for its cards. */
  readonly options?: RunOptions;
  readonly presets: readonly Preset[];
  /** The next step for an input that is not finished, in a sentence. */
  next?(input: unknown): string | undefined;
  /** Effects of a result that its user should know before they trust a link. */
  effects?(result: Result, input: unknown): readonly string[];
  /** The result in a short sentence, which is also announced to screen readers. */
  summary(result: Result, changes?: Changes): string;
  body(result: Result, context: ViewContext<Result, Report>): Html;
  /** Reads an existing file or a pasted text. */
  readonly reader?: TextReader;
  /** Tries an input on files of the user. */
  readonly trial?: Trial<Report>;
  /** For a form that may hold secrets: the part of it that the browser's tab keeps. */
  readonly draft?: {
    keep(data: SubmittedForm): SubmittedForm;
    /** What is not kept, in words that follow "except". */
    readonly leftOut: string;
  };
}

/** The chosen options of a run, by their names. */
export type FormOptions = Readonly<Record<string, string>>;

export interface Preset {
  readonly title: string;
  readonly input: object;
}

/** What a view knows besides its tool's result. */
export interface ViewContext<Result, Report = unknown> {
  /** The input as the form has it. */
  readonly input: unknown;
  /**
   * Runs the tool on another input, or with more of its options; undefined for an input that it
   * rejects.
   */
  run(input: unknown, options?: object): Result | undefined;
  /** The operator's prices. */
  readonly priceBook: PriceBook | undefined;
  /** The address of the result's file, if the input fits into one. */
  readonly fileHref: string | undefined;
  /** The warnings about parts of the result. Those about the input are beside their fields. */
  readonly warnings: readonly Warning[];
  /** The trial, whose input may be an earlier one. */
  readonly trial?: TrialState<Report> | undefined;
  /** What the text that was read last gave besides its input, which may have changed since. */
  readonly extras?: ReadExtras | undefined;
}

/** Tries an input on files that never leave the browser. A worker of the page runs it. */
export interface Trial<Report = unknown> {
  /**
   * The asset of the worker. It takes a `TrialOrder`, and posts a `TrialProgress` a few times a second;
   * the last has the whole report.
   */
  readonly worker: string;
  /** Recognises a file to try on by its name and its first characters. */
  isFor(name: string, start: string): boolean;
  /** Said when files come while the input is not valid. */
  readonly unready: string;
  /**
   * Its buttons have `data-trial`: stop, again, close.
   *
   * @param input of the form now; undefined while it is not valid.
   */
  panel(state: TrialState<Report>, input: unknown): Html;
}

export interface TrialOrder {
  readonly input: unknown;
  readonly files: readonly File[];
}

export interface TrialProgress<Report = unknown> {
  /** How much of the files was read, from 0 to 1. */
  readonly share: number;
  readonly secondsLeft: number | undefined;
  readonly isDone: boolean;
  readonly report: Report;
}

export interface TrialState<Report = unknown> {
  /** The input that is tried. */
  readonly input: unknown;
  readonly phase: "reading" | "stopped" | "failed" | "done";
  /** The latest; undefined until the worker runs. */
  readonly progress?: TrialProgress<Report>;
}

/** Turns a text into an input: a file, or a text pasted into one field. */
export interface TextReader {
  /** The button's text: "Open a config file". */
  readonly label: string;
  /** The types of files, for the `accept` of an `input`. */
  readonly accept: string;
  /** Said after the reason why a text cannot be read: "Your filters are unchanged." */
  readonly unchanged: string;
  /** Says what to paste into the box above the form, if there is one. */
  readonly box?: string;
  /**
   * Undefined for a text of another kind.
   *
   * @param field the field that the text was pasted into; undefined for a file.
   */
  read(text: string, field?: string): Promise<ReadText | UnreadText | undefined>;
}

/** The changes that an input makes to the opened file. The user's account has all of that file already. */
export interface Changes {
  /** The file with only the parts that are new or changed. */
  readonly file: { readonly name: string; readonly media_type: string; readonly content: string };
  /** The sentence in place of the summary of the whole result. */
  readonly summary: string;
  /** The links to that file and to the whole; `whole` makes the latter of its words. */
  readonly downloads: (whole: (words: string) => Html) => Html;
  readonly steps: readonly string[];
  readonly afterSteps: Html | false;
}

/** Another input, for a button. */
interface Offer {
  readonly label: string;
  /** The effect of the change, in a sentence. */
  readonly hint: string;
  /** The name of the change, for the undo button: "Merged". */
  readonly done: string;
  readonly read: ReadText;
  /** The parts of the form's input that the offered one replaces. */
  readonly replaces: readonly object[];
}

/** What a text gives besides its input. */
export interface ReadExtras {
  /** The text, which the tab keeps while it is compared with the form. */
  readonly source?: string;
  /** Compares a valid input with the text. */
  readonly changes?: (input: unknown) => Changes;
  /**
   * Another input that the page offers, made of the text and the form's input.
   *
   * @param input of the form; undefined while it is not valid.
   */
  readonly offer?: (input: unknown) => Offer | undefined;
  /** The parts of the text that do nothing, each in a line. The input has none of them. */
  readonly idle?: readonly string[];
  /** Steps outside of the page, one a line. */
  readonly report?: string;
  /** A field for one whole number, which is filled in wherever the text has none. */
  readonly fill?: {
    readonly label: string;
    /** @returns undefined for a value that is no whole number. */
    fillIn(input: unknown, value: string): object | undefined;
  };
}

/** What a text gives that is of the right kind, but no input. */
export interface UnreadText extends ReadExtras {
  readonly reason: string;
}

export interface ReadText extends ReadExtras {
  readonly input: object;
  /** Properties of the input that were guessed: texts that the user wrote there stay. */
  readonly guessed?: readonly string[];
  /** The options of a run that the text names. */
  readonly options?: FormOptions;
  /** A sentence on the parts that were read and left out. */
  readonly summary: string;
  /** All inputs of the text where it has several, this one first. */
  readonly choices?: readonly ReadChoice[];
}

export interface ReadChoice extends ReadText {
  readonly title: string;
}
