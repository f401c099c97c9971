import { render } from "preact";
import type { RunOptions } from "../../../src/tool.ts";
import { announce, announceLater } from "../announce.ts";
import { readRunOptions } from "../browser/run-options.ts";
import { focusControl, getFocusedName, keepScrollPosition } from "./browser-events.ts";
import { loadPreferences, savePreference } from "./browser-storage.ts";
import {
  evaluateForm,
  type FormChange,
  type FormState,
  type HydratedPage,
  LINK_PROBLEM,
  markTouched,
  type ReadNotice,
  type Runner,
  type TextReader,
  TOUCHED_FIELDS,
} from "./form-state.ts";
import { asText, type FormValues, findField, parseForm } from "./form-values.ts";
import { type History, recordChange, recordTyping, startHistory, stepHistory } from "./history.ts";
import { applyIntent } from "./intents.ts";
import { scheduleUrlUpdate } from "./links.ts";

/** An outcome that takes longer, in milliseconds, waits for a pause in the typing. */
const DEBOUNCE_THRESHOLD_MS = 12;
const MAX_PAUSE_MS = 400;

/** The elements announced after a change. Messages about actions are announced separately. */
const ANNOUNCED_ELEMENTS = ":is(#summary, #answer, #advice, #problems), .tool-form .notes > .error";

/** The message for each intent, by its verb. */
const DONE_MESSAGES: ReadonlyMap<string, string> = new Map([
  ["clear", "Cleared."],
  ["remove", "Removed."],
  ["copy", "Duplicated."],
  ["fix", "Fixed."],
  ["preset", "Added."],
  ["remove-server", "Left out."],
]);

/**
 * The form of a page in a browser. Its controls hold all of the input: to change it, the form is read,
 * changed, run and rendered. This object has the history, the outcome and the message shown.
 */
export class LiveForm<Result extends object, Extra, Reader extends TextReader> {
  readonly page: HydratedPage<Result, Extra, Reader>;
  readonly element = findForm();
  readonly root = this.element.closest<HTMLElement>(".tool-page") ?? document.body;
  history: History = startHistory(parseForm(new FormData(this.element)));
  /** The outcome of the form; it lags behind while the user types. */
  state: FormState<Result, Extra> | undefined;
  lastValid: FormState<Result, Extra> | undefined;
  notice: ReadNotice | undefined;
  /** Whether the outcome is partial, or older than the form. */
  isUpdateDue = false;
  isDrawing = false;
  #reader: Reader | undefined;
  readonly #preferences: Record<string, string>;
  #updateTimer: ReturnType<typeof setTimeout> | undefined;
  #lastUpdateMs = 0;

  constructor(page: HydratedPage<Result, Extra, Reader>) {
    this.page = page;
    this.#preferences = loadPreferences(page.preferences ?? {});
  }

  /** @throws while there is no network. */
  async loadReader(): Promise<Reader> {
    const reader = this.#reader ?? (await this.page.loadReader());
    this.#reader = reader;
    return reader;
  }

  /** Reads the form from its controls. Touched fields are cleared when the form is valid. */
  readControls(): FormValues {
    const form = parseForm(new FormData(this.element));
    const names = this.history.form.get(TOUCHED_FIELDS);
    if (names !== undefined) form.set(TOUCHED_FIELDS, names);
    // The user may have chosen something just now.
    for (const [name, value] of Object.entries(this.#preferences)) {
      // A box that is not ticked sends nothing.
      const isBox = this.state && this.element.elements.namedItem(name) instanceof HTMLInputElement;
      const chosen = asText(form.get(name)) || (isBox ? "" : value);
      this.#preferences[name] = chosen;
      form.set(name, chosen);
    }
    return form;
  }

  /** Reads the form, changes it, and draws the page. */
  update(change?: FormChange): void {
    const form = this.readControls();
    const focus = change?.(form);
    this.render(form);
    if (typeof focus === "string") focusControl(this.element, focus);
  }

  /** Makes a change that can be undone. @param doneMessage what was done, in a sentence. */
  change(change: FormChange, doneMessage = "", { before, details = [] }: ChangeOptions = {}): void {
    const history = before ?? { ...this.history, form: this.readControls() };
    const focus = getFocusedName();
    this.notice = doneMessage === "" ? undefined : { text: doneMessage, details };
    if (doneMessage !== "")
      announce([doneMessage, ...details, "Press Control Z to undo."].join(" "));
    this.update((form) => {
      form.delete(LINK_PROBLEM);
      const next = change(form);
      this.history = recordChange(history, form, focus, doneMessage);
      return next;
    });
  }

  readonly setPreferences = (choices: Readonly<Record<string, string>>): void =>
    this.update(() => {
      for (const [name, value] of Object.entries(choices)) {
        this.#preferences[name] = value;
        savePreference(name, value);
      }
    });

  /** Shows a message about the last action. */
  tell(notice: ReadNotice): void {
    this.notice = notice;
    announce([notice.text, ...(notice.details ?? [])].join(" "));
    this.update();
  }

  /** Tells why nothing was read. */
  reject(reason: string): void {
    this.tell({ text: `${reason} Nothing was changed.`, isError: true });
  }

  /** Applies the intent of a button or key. Without a change of the input, the history gets no step. */
  apply(intent: string): void {
    const [verb = "", name = ""] = intent.split(" ", 2);
    const change: FormChange = (form) => applyIntent(form, intent, this.page);
    const isToken = findField(this.page.fields, name)?.kind === "tokens";
    if (verb === "") this.update((form) => markTouched(form));
    else if (verb === "undo" || verb === "redo") this.#step(verb);
    else if (/^(?:edit|open|close|view)$/.test(verb) || (verb === "add" && isToken)) {
      this.history = { ...this.history, typedField: "" };
      this.update(change);
    } else this.change(change, DONE_MESSAGES.get(verb));
  }

  #step(direction: "undo" | "redo"): void {
    const next = stepHistory({ ...this.history, form: this.readControls() }, direction);
    if (!next) return;
    const { focus, ...history } = next;
    this.history = history;
    this.notice = { text: direction === "undo" ? "Undone." : "Redone." };
    announce(this.notice.text);
    this.render(new Map(history.form));
    focusControl(this.element, focus);
  }

  /** Notes what the user types or chooses. A slow outcome waits for a pause; the controls do not. */
  input(name: string, isTyped: boolean): void {
    const form = this.readControls();
    // The problem of a link does not apply to a changed form.
    form.delete(LINK_PROBLEM);
    if (name in this.#preferences) savePreference(name, asText(form.get(name)));
    else {
      // Text controls have their own undo, checkboxes do not.
      this.history = (isTyped ? recordTyping : recordChange)(this.history, form, name);
      // The details of a file stay, so that the form does not move.
      if (!this.notice?.details?.length) this.notice = undefined;
    }
    if (this.#lastUpdateMs < DEBOUNCE_THRESHOLD_MS) {
      this.render(form, isTyped);
      return;
    }
    clearTimeout(this.#updateTimer);
    this.isUpdateDue = true;
    this.#draw(form);
    this.#updateTimer = setTimeout(
      () => this.render(this.readControls(), isTyped),
      Math.min(2 * this.#lastUpdateMs, MAX_PAUSE_MS),
    );
  }

  /** Shows the problems of fields that the user has left. While all is right, the next problem waits. */
  leave(names: readonly string[]): void {
    if (this.isUpdateDue) this.update();
    const { state } = this;
    if (!state || state.isBlank || (state.result && state.problems.length === 0)) return;
    markTouched(this.history.form, names);
    const hidden = state.problems.filter((problem) => !state.messages.includes(problem));
    if (hidden.some(({ name }) => names.includes(name))) this.update();
  }

  /** Runs the tool, for a form or for an input from a link. */
  run(input: unknown, options: RunOptions = {}, form: FormValues = new Map(), isTyping = false) {
    const context = { form, isTyping, lastExtra: this.lastValid?.extra };
    return this.page.run(input, { ...readRunOptions(), ...options }, context, this.#reader);
  }

  /** Runs the tool on a form, and draws the page. */
  render(form: FormValues, isTyping = false): void {
    const started = performance.now();
    clearTimeout(this.#updateTimer);
    for (const [name, value] of Object.entries(this.#preferences)) form.set(name, value);
    const isFirst = this.state === undefined;
    const runner: Runner<Result, Extra> = {
      baseUrl: this.root.dataset.baseUrl ?? "",
      priceBook: readRunOptions().priceBook,
      run: (input, options) => this.run(input, options, form, isTyping),
    };
    const state = evaluateForm(this.page, runner, form);
    this.state = state;
    this.isUpdateDue = isTyping && this.page.needsReader?.(form) === true;
    if (state.result && state.problems.length === 0) form.delete(TOUCHED_FIELDS);
    if (state.result || state.isBlank) this.lastValid = state;
    this.#draw(form);
    this.#lastUpdateMs = performance.now() - started;
    if (isFirst) return;
    announceLater(() =>
      [...document.querySelectorAll<HTMLElement>(ANNOUNCED_ELEMENTS)]
        .map((said) => said.innerText)
        .join(" "),
    );
    scheduleUrlUpdate(state);
  }

  /** Draws a form with the outcome that there is. */
  #draw(form: FormValues): void {
    if (!this.state) return;
    this.history = { ...this.history, form };
    const node = this.page.view({ state: { ...this.state, form }, live: this });
    // The first rendering would close a fold that the user has opened before.
    const opened = this.root.querySelectorAll("details[open]");
    const isFirst = this.element.dataset.ready === undefined;
    this.isDrawing = true;
    keepScrollPosition(() => render(node, this.root));
    this.isDrawing = false;
    if (isFirst) for (const details of opened) details.toggleAttribute("open", true);
  }
}

export type AnyLiveForm = LiveForm<object, unknown, TextReader>;

interface ChangeOptions {
  /** The history before the change, if not the current one. */
  readonly before?: History | undefined;
  readonly details?: readonly string[] | undefined;
}

function findForm(): HTMLFormElement {
  const form = document.querySelector<HTMLFormElement>("#tool-form");
  if (form) return form;
  throw new Error("The page has no form");
}
