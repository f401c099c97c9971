import { editRows } from "../../form/form-data.ts";
import {
  runForm,
  runInput,
  type ToolPageState,
  type ToolRunner,
  validInput,
  withData,
} from "../../tool/state.ts";
import { choiceChips, extrasPart, fillField, toolForm } from "../../tool/workbench.ts";
import type { ReadChoice, ReadExtras, ReadText } from "../../view.ts";
import { announce } from "../feedback.ts";
import { captureFocus, focusAfter } from "../focus.ts";
import { parseElement, replaceContent, setPart } from "../replace-content.ts";
import { readForm } from "./form-content.ts";
import { oncePerFrame } from "./frames.ts";
import { showInAddress } from "./share.ts";
import { announceStatus, clearResult, type Notice, showMessages, showOutcome } from "./show.ts";
import { trials } from "./trial.ts";
import { undoBar } from "./undo.ts";
import { visitedFields } from "./visited.ts";

/** The page apart from its form. A change replaces this object, so that undo puts an earlier one back. */
interface PageState {
  readonly isLinked: boolean;
  /** What the text that was read last gave besides its input. */
  readonly extras: ReadExtras;
  /** The inputs of that text. */
  readonly choices: readonly ReadChoice[];
  /** The fields that were typed in since an input was opened: a guess does not replace those. */
  readonly typed: readonly string[];
}

export type FormPage = ReturnType<typeof formPage>;

/**
 * The form of a tool with its result, and what can be done to both. The same code renders them on the
 * server.
 */
export function formPage(form: HTMLFormElement, runner: ToolRunner, baseUrl: string) {
  const visited = visitedFields(form);
  const showUndo = undoBar();
  const { reader } = runner.view;
  let page: PageState = { isLinked: false, extras: {}, choices: [], typed: [] };
  let isTouched = false;
  let shown: ToolPageState | undefined;

  const setState = (part: Partial<PageState>) => {
    page = { ...page, ...part };
  };
  const run = (data = readForm(form)) => runForm(runner, data, visited.has);
  /** The form with its outcome, as they are shown. */
  const current = () => {
    shown ??= run();
    return shown;
  };
  const trial = trials(runner, current, {
    show: () => showResult(current()),
    reject: (reason) => reject(reason),
  });
  const showResult = (state: ToolPageState, notice?: Notice) => {
    showOutcome({ ...state, ...page, trial: trial.state() }, baseUrl, notice);
    setPart("beside", extrasPart(page.extras, validInput(state)));
    trial.draw();
  };
  const show = (state: ToolPageState, notice?: Notice) => {
    shown = state;
    if (isTouched) delete form.dataset.example;
    showMessages(form, state);
    showResult(state, notice);
    announceStatus();
    if (state.outcome.kind === "done" || state.outcome.kind === "blank") showInAddress(form);
  };
  /** Shows the outcome of the form as it is filled in. */
  const update = oncePerFrame(() => show(run()));
  const replaceForm = (state: ToolPageState) => {
    const newer = parseElement(toolForm(state));
    if (newer) replaceContent(form, newer);
  };
  const replaceAndShow = (state: ToolPageState, notice?: Notice) => {
    update.cancel();
    isTouched = true;
    replaceForm(state);
    show(state, notice);
  };
  /** Shows a form with other rows, or with other data. */
  const renew = (data = readForm(form)) => replaceAndShow(run(data));
  const showNotice = (notice: Notice) => {
    announce(notice.text);
    // On a phone the outcome, which has the notice too, is far away.
    const line = form.querySelector("[data-notice]");
    if (!line) return;
    line.textContent = notice.text;
    line.classList.toggle("error", notice.isError === true);
  };
  /** Shows why nothing was changed. */
  const reject = (text: string) => {
    showResult(current(), { text, isError: true });
    showNotice({ text, isError: true });
  };
  /** Remembers the form as it is now. The returned function brings it back. */
  const captureState = () => {
    const [before, data] = [page, readForm(form)];
    const [restoreVisited, restoreFocus] = [visited.capture(), captureFocus(document.body, {})];
    return () => {
      page = before;
      restoreVisited();
      renew(data);
      restoreFocus();
    };
  };
  /**
   * Offers to undo a change.
   *
   * @param done the name of the change: "Cleared".
   * @param restore goes back to before the change.
   */
  const offerUndo = (done: string, restore: () => void) =>
    showUndo(done, (isTypedSince) => {
      const redo = captureState();
      restore();
      if (isTypedSince) offerUndo("Undone", redo);
    });
  /** Shows another input. */
  const open = (
    state: ToolPageState,
    isLinked: boolean,
    notice?: Notice,
    extras: ReadExtras = {},
  ) => {
    setState({ isLinked, extras, typed: [] });
    // Fields that the text does not fill show no errors yet.
    if (extras.fill) visited.follow("clear");
    else visited.addAll();
    if (state.outcome.kind !== "done") clearResult();
    replaceAndShow(state, notice);
    if (notice) showNotice(notice);
  };
  /** What the user has typed into fields that a text only guesses. */
  const typedFor = ({ guessed = [] }: ReadText): object => {
    const typed = Object.entries(readForm(form)).filter(([, text]) => text !== "");
    return Object.fromEntries(
      typed.filter(([name]) => guessed.includes(name) && page.typed.includes(name)),
    );
  };
  /** @param index the place of the input among those of its text. */
  const openRead = (read: ReadText, index = 0) => {
    const typed = typedFor(read);
    const state = runInput(runner, { ...read.input, ...typed }, read.options);
    const [next] = read.fill && state.outcome.kind === "rejected" ? state.outcome.issues : [];
    const outcome = next ? ({ kind: "unfinished", next } as const) : state.outcome;
    open({ ...state, outcome }, false, { text: read.summary }, read);
    setState({ typed: Object.keys(typed) });
    const field = next && read.fill && parseElement(fillField(read.fill.label));
    if (field) {
      form.querySelector("[data-notice]")?.append(field);
      field.querySelector("input")?.focus();
    }
    const chips = page.choices.length > 0 && parseElement(choiceChips(page.choices, index));
    if (chips) form.querySelector("[data-notice]")?.append(chips);
  };
  /**
   * Reads a text and opens its input.
   *
   * @param field the field that has the text; undefined for a text of its own, such as a file.
   * @returns false if the text gives no input; the page says why if `isWhole`.
   */
  const openText = async (
    done: string,
    text: string | undefined,
    field?: string,
    restore = captureState(),
    isWhole = field === undefined,
  ) => {
    const read = text === undefined ? undefined : await reader?.read(text, field);
    if (read && "input" in read) {
      setState({ choices: read.choices ?? [] });
      openRead(read);
      offerUndo(done, restore);
      return true;
    }
    if (isWhole) {
      if (read) setState({ extras: { ...page.extras, ...read } });
      reject(`${read?.reason ?? "This cannot be read."} ${reader?.unchanged}`);
    }
    return false;
  };
  /** Compares the form with a text, unless the user opens another one meanwhile. */
  const compareWith = async (source: string) => {
    const { extras } = page;
    const read = await reader?.read(source);
    if (!read || page.extras !== extras) return;
    setState({ extras: read });
    showResult(current());
  };
  /** Does what a button of the form asks for, such as `add filters`. */
  const press = (command: string) => {
    const [verb, name = ""] = command.split(" ", 2);
    if (verb === "split") {
      const text = readForm(form)[name];
      if (typeof text === "string") void openText("Split", text, name);
      return;
    }
    if (verb === "open" && !update.isDue() && shown?.outcome.kind === "done") {
      // The input stays as it is, and so does its result, which takes long to compute.
      shown = withData(shown, editRows(readForm(form), command));
      replaceForm(shown);
      showMessages(form, shown);
      focusAfter(form, command);
      return;
    }
    const isClear = command === "clear";
    const restore = captureState();
    visited.follow(command);
    if (isClear) setState({ isLinked: false, extras: {}, typed: [] });
    renew(isClear ? {} : editRows(readForm(form), command));
    const done = DONE.get(verb);
    if (done) offerUndo(done, restore);
    // The link that is possible now is in the place of this button, and gets the focus.
    if (verb !== "set") focusAfter(form, command);
  };
  return {
    form,
    runner,
    visited,
    trial,
    update,
    state: () => page,
    setState,
    current,
    /** True when the form is no longer the one of the server. */
    isTouched: () => isTouched,
    type(name: string) {
      isTouched = true;
      if (!page.typed.includes(name)) setState({ typed: [...page.typed, name] });
      update.soon();
    },
    renew,
    reject,
    captureState,
    offerUndo,
    open,
    openRead,
    openText,
    compareWith,
    press,
  };
}

/** The names of the changes that can be undone, by the verbs of their commands. */
const DONE: ReadonlyMap<string | undefined, string> = new Map([
  ["clear", "Cleared"],
  ["remove", "Removed"],
  ["set", "Replaced"],
]);
