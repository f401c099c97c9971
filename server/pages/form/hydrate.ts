import { render } from "preact";
import { decodeText, formatNumber } from "../../../src/text.ts";
import type { RunOptions } from "../../../src/tool.ts";
import { announce, announceLater } from "../announce.ts";
import { readRunOptions } from "../browser/run-options.ts";
import { onFirstInteraction } from "../first-interaction.ts";
import { takeHandedOver } from "../hand-over.ts";
import {
  afterPointerUp,
  focusControl,
  getControlName,
  getFocusedName,
  handlePageLinks,
  keepScrollPosition,
  listLeftFields,
  onFileDrop,
} from "./browser-events.ts";
import {
  applyAnyIntent,
  evaluateForm,
  type FormChange,
  type FormState,
  FROM_LINK,
  formFromLink,
  getShareableInput,
  type HydratedPage,
  isShownOnLeaving,
  LINK_PROBLEM,
  type LivePage,
  markTouched,
  type NotRead,
  type ReadNotice,
  type Runner,
  replaceForm,
  TOUCHED_FIELDS,
} from "./form-state.ts";
import {
  applyIntent,
  asText,
  commitTexts,
  type FormValues,
  findField,
  MAX_ROWS,
  parseForm,
  splitLines,
} from "./form-values.ts";
import { changed, type History, left, startHistory, stepped, typed } from "./history.ts";
import {
  createShareLink,
  isEdited,
  isFromThisTab,
  loadDraft,
  loadPreferences,
  readInputFromLink,
  saveDraftOnLeave,
  savePreference,
  scheduleUrlUpdate,
} from "./persistence.ts";
import { tokenCommand, tokenTextOf } from "./tokens.ts";

/** A run that takes longer, in milliseconds, waits for a pause in the typing. */
const DEBOUNCE_THRESHOLD_MS = 12;
const MAX_PAUSE_MS = 400;

/** The elements announced after a change. Messages about actions are announced separately. */
const ANNOUNCED_ELEMENTS = ":is(#summary, #answer, #advice, #problems), .tool-form .notes > .error";

/** Ten times the size of a thousand filters. */
const MAX_FILE_BYTES = 10_000_000;

/** The message for each intent, by its verb. */
const DONE_MESSAGES: ReadonlyMap<string | undefined, string> = new Map([
  ["clear", "Cleared."],
  ["remove", "Removed."],
  ["copy", "Duplicated."],
  ["fix", "Fixed."],
  ["preset", "Added."],
  ["leave", "Left out."],
]);

/**
 * Takes a page over in the browser. The form has all of the input: whatever changes it, it is read,
 * changed, run and rendered. Beside it are its history, what is shown for a while, and what the
 * browser remembers.
 */
export function hydrateToolPage<Result extends object, Extra, Reader>(
  page: HydratedPage<Result, Extra, Reader>,
): void {
  void new Hydrator(page).start();
}

class Hydrator<Result extends object, Extra, Reader> {
  readonly #page: HydratedPage<Result, Extra, Reader>;
  readonly #form = findForm();
  readonly #root = this.#form.closest<HTMLElement>(".tool-page") ?? document.body;
  readonly #preferences: Record<string, string>;
  #reader: Reader | undefined;
  #history: History = startHistory(parseForm(new FormData(this.#form)));
  /** The outcome of the form; it lags behind while the user types. */
  #state: FormState<Result, Extra> | undefined;
  #lastValid: FormState<Result, Extra> | undefined;
  #notice: LivePage<Result>["notice"];
  #updateTimer: Timer;
  #isUpdateDue = false;
  #lastUpdateMs = 0;
  #isDrawing = false;

  constructor(page: HydratedPage<Result, Extra, Reader>) {
    this.#page = page;
    this.#preferences = loadPreferences(page.preferences ?? {});
  }

  /** The first rendering takes over the server's elements. */
  async start(): Promise<void> {
    const draft = loadDraft();
    const linked = readInputFromLink();
    // The draft is newer than the input in the tab's own address.
    const link = draft && isFromThisTab() ? undefined : linked;
    const isTyped = isEdited(this.#form);
    if (draft && !isTyped) {
      if (this.#page.needsReader?.(draft)) await this.#load().catch(() => undefined);
      this.#render(draft);
    } else if (link !== undefined && !isTyped) this.#render(this.#formFromUrl(link));
    else this.update();
    if (link !== undefined && (draft || isTyped)) this.#openLink(link);
    this.#listen(draft !== undefined || linked !== undefined);
    this.#form.dataset.ready = "";
    const handedOver = takeHandedOver();
    const pasted = handedOver?.get(PASTE_BOX);
    // The page's own script, which reads it, runs to its end first.
    if (pasted) setTimeout(() => this.#open(pasted));
    else if (handedOver)
      this.change((form) => {
        replaceForm(form, parseForm(handedOver));
        commitTexts(form, this.#page.fields);
        return this.#page.controlAfterHandOver;
      }, "Filled in.");
  }

  /** Reads the form, changes it, and draws the page. */
  update(change?: FormChange): void {
    const started = performance.now();
    const form = this.#readControls();
    const focus = change?.(form);
    this.#render(form);
    if (typeof focus === "string") focusControl(this.#form, focus);
    this.#lastUpdateMs = performance.now() - started;
  }

  /** Makes a change that can be undone. @param doneMessage what was done, in a sentence. */
  change(
    change: FormChange,
    doneMessage = "",
    { before, typedField = "", details = [] }: ChangeOptions = {},
  ): void {
    const history = before ?? { ...this.#history, form: this.#readControls() };
    const focus = getFocusedName();
    this.#notice = doneMessage === "" ? undefined : { text: doneMessage, details };
    if (doneMessage !== "")
      announce([doneMessage, ...details, "Press Control Z to undo."].join(" "));
    this.update((form) => {
      form.delete(LINK_PROBLEM);
      const next = change(form);
      this.#history = typedField ? typed(history, form, typedField) : changed(history, form, focus);
      return next;
    });
  }

  /** Says why nothing was read. */
  reject(reason: string): void {
    this.#say({ text: `${reason} Nothing was changed.`, isError: true });
  }

  #say(notice: ReadNotice): void {
    this.#notice = notice;
    announce(notice.text);
    this.update();
  }

  /** Reads the form from its controls. Touched fields are cleared when the form is valid. */
  #readControls(): FormValues {
    const form = parseForm(new FormData(this.#form));
    const names = this.#history.form.get(TOUCHED_FIELDS);
    if (names !== undefined) form.set(TOUCHED_FIELDS, names);
    // A press on a choice draws what is due before it is heard.
    for (const [name, value] of Object.entries(this.#preferences)) {
      // A box that is not ticked sends nothing.
      const isBox = this.#state && this.#form.elements.namedItem(name) instanceof HTMLInputElement;
      const chosen = asText(form.get(name)) || (isBox ? "" : value);
      this.#preferences[name] = chosen;
      form.set(name, chosen);
    }
    return form;
  }

  #run(form: FormValues, input: unknown, options?: RunOptions) {
    const context = { form, lastExtra: this.#lastValid?.extra, reader: this.#reader };
    return this.#page.run(input, { ...readRunOptions(), ...options }, context);
  }

  /** Runs the tool on a form, and draws the page. */
  #render(form: FormValues): void {
    clearTimeout(this.#updateTimer);
    this.#isUpdateDue = false;
    for (const [name, value] of Object.entries(this.#preferences)) form.set(name, value);
    const isFirst = this.#state === undefined;
    let extra: Extra | undefined;
    const runner: Runner<Result> = {
      baseUrl: this.#root.dataset.baseUrl ?? "",
      priceBook: readRunOptions().priceBook,
      isBeyondApi: this.#page.isBeyondApi,
      run: (input, options) => {
        const outcome = this.#run(form, input, options);
        extra = outcome.extra;
        return outcome.result;
      },
    };
    const state = { ...evaluateForm(this.#page, runner, form), extra };
    this.#state = state;
    if (state.result && state.problems.length === 0) form.delete(TOUCHED_FIELDS);
    if (state.result || state.isBlank) this.#lastValid = state;
    this.#draw(form);
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
    const state = this.#state;
    if (!state) return;
    this.#history = { ...this.#history, form };
    const node = this.#page.view({
      state: { ...state, form: form },
      live: this.#livePage(),
    });
    // A fold that the user has opened before the script was there would close.
    const opened = this.#root.querySelectorAll("details[open]");
    const isFirst = this.#form.dataset.ready === undefined;
    this.#isDrawing = true;
    keepScrollPosition(() => render(node, this.#root));
    this.#isDrawing = false;
    if (isFirst) for (const details of opened) details.toggleAttribute("open", true);
  }

  #livePage(): LivePage<Result, Extra> {
    const { past, future } = this.#history;
    return {
      notice: this.#notice,
      lastValid: this.#lastValid,
      canUndo: past.length > 0,
      canRedo: future.length > 0,
      setPreferences: (choices) =>
        this.update(() => {
          for (const [name, value] of Object.entries(choices))
            savePreference(this.#preferences, name, value);
          return undefined;
        }),
      openText: (text, options) => this.#open(text, options),
      openFiles: (files) => this.#openFiles(files),
      change: (change, doneMessage) => this.change(change, doneMessage),
    };
  }

  #onInput(event: Event): void {
    const name = getControlName(event.target);
    if (name === "") return;
    const form = this.#readControls();
    if (name in this.#preferences) savePreference(this.#preferences, name, asText(form.get(name)));
    else {
      form.delete(LINK_PROBLEM);
      // Text controls have their own undo, checkboxes do not.
      const step = event instanceof InputEvent ? typed : changed;
      this.#history = step(this.#history, form, name);
      this.#notice = undefined;
    }
    this.#updateSoon(form);
  }

  /** While the user types, a slow outcome is delayed; the controls are not. */
  #updateSoon(form: FormValues): void {
    clearTimeout(this.#updateTimer);
    if (this.#lastUpdateMs < DEBOUNCE_THRESHOLD_MS) {
      this.#updateTyped();
      return;
    }
    this.#isUpdateDue = true;
    this.#draw(form);
    const pause = Math.min(2 * this.#lastUpdateMs, MAX_PAUSE_MS);
    this.#updateTimer = setTimeout(() => this.#updateTyped(), pause);
  }

  /** Problems of a link do not apply to a changed form. */
  #updateTyped(): void {
    this.update((form) => {
      form.delete(LINK_PROBLEM);
      return undefined;
    });
  }

  #onSubmit(event: SubmitEvent): void {
    event.preventDefault();
    const command = event.submitter?.getAttribute("value") ?? "";
    if (command === "undo" || command === "redo") this.#step(command);
    else if (command === "") this.update((form) => markTouched(form));
    else this.#press(command);
  }

  /** Applies the intent of a button or key. Without a change of the input, the history gets no step. */
  #press(command: string): void {
    const [verb = "", name = ""] = command.split(" ", 2);
    const change: FormChange = (form) => applyAnyIntent(this.#page, form, command);
    const isText = findField(this.#page.fields, name)?.kind === "texts";
    if (/^(?:edit|open|close|view)$/.test(verb) || (verb === "add" && isText)) {
      this.#history = { ...this.#history, typedField: "" };
      this.update(change);
    } else this.change(change, DONE_MESSAGES.get(verb));
  }

  #onFocusOut({ target, relatedTarget }: FocusEvent): void {
    const state = this.#state;
    const names = listLeftFields(target, relatedTarget);
    // A removed control loses the focus during rendering.
    if (this.#isDrawing || !state || names.length === 0) return;
    const text = tokenTextOf(target);
    if (text && text.value.trim() !== "") afterPointerUp(() => this.#endText(text));
    // While all is right, nothing counts as left: the next problem waits too.
    const isRight = (state.result && state.problems.length === 0) || state.isBlank;
    if (isRight && !this.#isUpdateDue) return;
    this.#history = left(this.#history, names);
    if (this.#isUpdateDue || isShownOnLeaving(state, names)) afterPointerUp(() => this.update());
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { target, key, isComposing } = event;
    const command = tokenCommand(event) ?? closeCommand(event);
    if (command !== undefined) this.#press(command);
    const name = getControlName(target);
    const list = /^(.+)\[\d+\]\.(?:key|value)$/.exec(name)?.[1] ?? this.#gridOf(name);
    if (key === "Enter" && list !== undefined && !isComposing) {
      event.preventDefault();
      this.#press(`add ${list}`);
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey || key.toLowerCase() !== "z") return;
    // A field that is typed in has an undo of its own.
    if (this.#history.typedField !== "") return;
    event.preventDefault();
    this.#step(event.shiftKey ? "redo" : "undo");
  }

  /** The grid that a control is a cell of. */
  #gridOf(name: string): string | undefined {
    const list = /^(\w+)\[\d+\]\.\w+$/.exec(name)?.[1];
    return this.#page.fields[list ?? ""]?.kind === "grid" ? list : undefined;
  }

  #onPaste(event: ClipboardEvent): void {
    const { target } = event;
    const name = getControlName(target);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (name === "" || text.trim() === "") return;
    const grid = this.#gridOf(name);
    const list = tokenTextOf(target);
    const texts = list && (findField(this.#page.fields, name)?.split ?? splitLines)(text);
    if (grid !== undefined && /[\t\r\n]/.test(text.trim())) {
      event.preventDefault();
      void this.#open(text, { field: name });
    } else if (list && texts && (texts.length > 1 || /[\r\n]/.test(text))) {
      event.preventDefault();
      this.#pasteTexts(list, texts);
    } else if (this.#page.readText && grid === undefined && text.length < MAX_FILE_BYTES)
      void this.#readPasted(text, name);
  }

  /** The field gets the text too, unless it is a whole of its own. */
  async #readPasted(text: string, field: string): Promise<void> {
    const before = { ...this.#history, form: this.#readControls() };
    // The field has the text first.
    await new Promise((resolve) => setTimeout(resolve));
    const outcome = await this.#page.readText?.(text, field, () => this.#load(), before.form);
    if (outcome && "change" in outcome)
      this.change(outcome.change, outcome.notice, { before, details: outcome.details });
  }

  /** Adds items to a list, up to its limit: rendering more would be slow. */
  #pasteTexts(list: HTMLTextAreaElement, texts: readonly string[]): void {
    if (texts.length >= MAX_ROWS) {
      const [count, most] = [texts.length, MAX_ROWS - 1].map(formatNumber);
      this.reject(`You pasted ${count} lines; a list takes at most ${most}.`);
      return;
    }
    const before = { ...this.#history, form: this.#readControls() };
    const { name, selectionStart, selectionEnd } = list;
    list.setRangeText(texts.join("\n"), selectionStart, selectionEnd, "end");
    const command = `add ${name}`;
    this.change((form) => applyAnyIntent(this.#page, form, command), "Pasted.", { before });
  }

  /** A text that was left becomes an item, unless the user is back in it. */
  #endText(text: HTMLTextAreaElement): void {
    if (text === document.activeElement || !text.isConnected) return;
    this.update((form) => {
      applyAnyIntent(this.#page, form, `add ${text.name}`);
      return undefined;
    });
  }

  async #open(
    text: string,
    { isTyping = false, isTypedOn = false, field = "", fileName }: OpenOptions = {},
  ): Promise<boolean> {
    if (!this.#page.readText) return false;
    const outcome = await this.#page
      .readText(text, field, () => this.#load(), this.#readControls(), fileName)
      .catch(
        (): NotRead => ({
          reason: "This page’s reader did not load. Check your connection and try again.",
        }),
      );
    if (outcome && "change" in outcome) {
      // An earlier result does not describe the opened file.
      if (!isTyping) this.#lastValid = undefined;
      // A text that is typed on is one change.
      const { change, notice, details } = outcome;
      const [before] = this.#history.past.slice(-1);
      const isAnew = isTypedOn && before && this.#history.typedField === PASTE_BOX;
      const changeAnew: FormChange = (form) => {
        replaceForm(form, structuredClone(before?.form ?? form));
        return change(form);
      };
      this.change(isAnew ? changeAnew : change, notice, {
        typedField: isTyping ? PASTE_BOX : "",
        details,
      });
      return true;
    }
    if (outcome?.isOpen) this.#say({ text: outcome.reason });
    else if (!isTyping) this.reject(outcome?.reason ?? "This cannot be read.");
    return false;
  }

  async #openFiles([file]: readonly File[]): Promise<void> {
    if (!file) return;
    const bytes =
      file.size <= MAX_FILE_BYTES ? await file.arrayBuffer().catch(() => undefined) : undefined;
    const fileName = file.name;
    if (bytes) await this.#open(decodeText(new Uint8Array(bytes), { fatal: false }), { fileName });
    else this.reject(`${fileName} is too large, or it is a folder.`);
  }

  /** Goes to another form of the history. */
  #step(direction: "undo" | "redo"): void {
    const next = stepped({ ...this.#history, form: this.#readControls() }, direction);
    if (!next) return;
    const { focus, ...history } = next;
    this.#history = history;
    this.#notice = { text: direction === "undo" ? "Undone." : "Redone." };
    announce(this.#notice.text);
    this.#render(new Map(history.form));
    focusControl(this.#form, focus);
  }

  async #load(): Promise<Reader | undefined> {
    this.#reader ??= await this.#page.loadReader?.();
    return this.#reader;
  }

  /** The form in the URL, unless this tab wrote it there itself. */
  #formFromUrl(text: string): FormValues {
    const run = (input: unknown) => this.#run(new Map(), input).result;
    const form = formFromLink(this.#page, { run }, text);
    if (isFromThisTab()) form.delete(FROM_LINK);
    return form;
  }

  #openLink(text: string): void {
    this.#lastValid = undefined;
    const linked = this.#formFromUrl(text);
    const notice = linked.has(LINK_PROBLEM) ? "" : "Opened the link.";
    this.change((form) => replaceForm(form, linked), notice);
  }

  #onHashChange(): void {
    const text = readInputFromLink();
    const input = this.#state && getShareableInput(this.#state);
    const own =
      input && new URL(createShareLink(this.#page, input, this.#history.form), location.href).hash;
    // Ignore a URL with the form's own input: it lacks the secrets.
    if (text !== undefined && location.hash !== own) this.#openLink(text);
  }

  #listen(isKept: boolean): void {
    const root = this.#root;
    root.addEventListener("input", (event) => this.#onInput(event));
    root.addEventListener("submit", (event) => this.#onSubmit(event));
    root.addEventListener("focusout", (event) => this.#onFocusOut(event));
    root.addEventListener("keydown", (event) => this.#onKeyDown(event));
    root.addEventListener("paste", (event) => this.#onPaste(event));
    // Do not let the user download or copy an outdated result.
    root.addEventListener("click", () => this.#isUpdateDue && this.update(), { capture: true });
    window.addEventListener("hashchange", () => this.#onHashChange());
    if (this.#page.readText) {
      onFileDrop((files) => this.#openFiles(files));
      document.addEventListener("paste", (event) => {
        const text = event.clipboardData?.getData("text/plain") ?? "";
        const isInField = event.target instanceof Element && event.target.closest(FIELDS);
        if (isInField || text.trim() === "") return;
        event.preventDefault();
        void this.#open(text);
      });
    }
    const { fields } = this.#page;
    handlePageLinks(this.#form, (item) =>
      this.update((form) => applyIntent(form, `open ${item}`, fields)),
    );
    saveDraftOnLeave(this.#form, this.#page, () => isKept || this.#history.past.length > 0);
    // Without a network it is loaded when it is needed.
    onFirstInteraction(async () => {
      const isNew = this.#reader === undefined;
      await this.#load().catch(() => undefined);
      if (isNew && this.#page.needsReader?.(this.#history.form)) this.update();
    });
  }
}

interface OpenOptions {
  readonly isTyping?: boolean;
  readonly isTypedOn?: boolean;
  readonly field?: string;
  readonly fileName?: string;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

interface ChangeOptions {
  /** The history before the change, if that is not the one now. */
  readonly before?: History;
  /** The control that is typed in: all that is typed there is one change. */
  readonly typedField?: string;
  readonly details?: readonly string[] | undefined;
}

function findForm(): HTMLFormElement {
  const form = document.querySelector<HTMLFormElement>("#tool-form");
  if (form) return form;
  throw new Error("The page has no form");
}

/** What the Escape key asks for: to close the item around the focus. */
function closeCommand({ target, key, isComposing }: KeyboardEvent): string | undefined {
  if (key !== "Escape" || isComposing || !(target instanceof Element)) return undefined;
  return target.closest(".item")?.querySelector<HTMLButtonElement>("[value^='close ']")?.value;
}

/** Counts as the edited control while the paste box is read. */
const PASTE_BOX = "paste";

const FIELDS = "input, textarea, select, [contenteditable]";
