import { thousands } from "../../../../src/text.ts";
import { editRows } from "../../form/form-data.ts";
import { fieldAt } from "../../form/form-fields.ts";
import {
  COMMAND,
  runForm,
  runInput,
  runText,
  type ToolPageState,
  type ToolRunner,
  withData,
} from "../../tool/state.ts";
import { besideInput, choice, fillField, toolForm } from "../../tool/tool-view.ts";
import type { BesideInput, ReadChoice, ReadText } from "../../view.ts";
import { announce } from "../feedback.ts";
import {
  focusAfter,
  focusIn,
  followInPageLinks,
  parseElement,
  replaceContent,
  setPart,
} from "../page-parts.ts";
import { keepDraft, keptDraft } from "./draft.ts";
import { isEdited, readForm } from "./form-content.ts";
import { oncePerFrame } from "./frames.ts";
import { onFile, onPastedText, onWholeText, pasteLists, withRows } from "./open-text.ts";
import { onSharedInput, showInAddress } from "./share.ts";
import {
  announceStatus,
  clearResult,
  type Notice,
  showGrowth,
  showMessages,
  showOutcome,
} from "./show.ts";
import { trials } from "./trial.ts";
import { undoOffers } from "./undo.ts";
import { visitedFields } from "./visited.ts";

/** The page apart from its form. A change replaces it whole, so that undo only puts an earlier one back. */
interface PageState {
  readonly isLinked: boolean;
  readonly growth: number;
  /** The other results of the text that was read last. */
  readonly beside: BesideInput;
  /** The inputs of that text. */
  readonly choices: readonly ReadChoice[];
  /** The fields that were typed in since an input was opened: a guess does not replace those. */
  readonly typed: readonly string[];
}

/**
 * Runs a tool in the page: the result follows what the user types, and nothing is sent. The same
 * code renders form and result on the server.
 */
export async function liveForm(
  form: HTMLFormElement,
  runner: ToolRunner,
  baseUrl: string,
): Promise<void> {
  const visited = visitedFields(form);
  const offerUndo = undoOffers();
  let page: PageState = { isLinked: false, growth: 1, beside: {}, choices: [], typed: [] };
  let isTouched = false;
  /** The way back to before what is being typed in the box was read. */
  let beforeTyping: (() => void) | undefined;
  let shown: ToolPageState | undefined;

  const change = (part: Partial<PageState>) => {
    page = { ...page, ...part };
  };
  const shownNow = () => {
    shown ??= runForm(runner, readForm(form), visited.has);
    return shown;
  };
  const trial = trials(runner, shownNow, {
    show: () => showGrown(shownNow()),
    reject: (reason) => reject(reason),
  });
  const showGrown = (state: ToolPageState, notice?: Notice) => {
    showOutcome({ ...state, ...page, trial: trial.state() }, baseUrl, notice);
    setPart("beside", besideInput(page.beside, validInput(state)));
    trial.draw();
    showGrowth(page.growth);
  };
  const show = (state: ToolPageState, notice?: Notice) => {
    if (state.outcome.kind === "blank") change({ growth: 1 });
    shown = state;
    if (isTouched) delete form.dataset.example;
    showMessages(form, state);
    showGrown(state, notice);
    announceStatus();
    if (state.outcome.kind === "done" || state.outcome.kind === "blank") showInAddress(form);
  };
  const update = oncePerFrame(() => show(runForm(runner, readForm(form), visited.has)));
  const renewForm = (state: ToolPageState) => {
    const newer = parseElement(toolForm(state));
    if (newer) replaceContent(form, newer);
  };
  /** Shows a form with other rows, or another input. */
  const renew = (state: ToolPageState, notice?: Notice) => {
    update.cancel();
    isTouched = true;
    renewForm(state);
    show(state, notice);
  };
  const tell = (notice: Notice) => {
    announce(notice.text);
    // The outcome, which has it too, is far away on a phone.
    const beside = form.querySelector("[data-notice]");
    if (!beside) return;
    beside.textContent = notice.text;
    beside.classList.toggle("error", notice.isError === true);
  };
  /** Shows why nothing was changed. */
  const reject = (text: string) => {
    showGrown(shownNow(), { text, isError: true });
    tell({ text, isError: true });
  };
  /** The way back to the form as it is now. */
  const save = () => {
    const [before, data] = [page, readForm(form)];
    const [visitAgain, goBack] = [visited.save(), focusIn(document.body, {})];
    return () => {
      page = before;
      visitAgain();
      renew(runForm(runner, data, visited.has));
      goBack();
    };
  };
  /** @param restore goes back to before the change. */
  const remember = (done: string, restore: () => void) =>
    offerUndo(done, (isTypedSince) => {
      const redo = save();
      restore();
      if (isTypedSince) remember("Undone", redo);
    });
  /** What the user typed in the place of a guess. */
  const typedFor = ({ guessed = [] }: ReadText): object => {
    const typed = Object.entries(readForm(form)).filter(([, text]) => text !== "");
    return Object.fromEntries(
      typed.filter(([name]) => guessed.includes(name) && page.typed.includes(name)),
    );
  };
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
      renewForm(shown);
      showMessages(form, shown);
      focusAfter(form, command);
      return;
    }
    const isClear = command === "clear";
    const restore = save();
    visited.follow(command);
    if (isClear) change({ isLinked: false, beside: {}, typed: [] });
    renew(runForm(runner, isClear ? {} : editRows(readForm(form), command), visited.has));
    const done = DONE.get(verb);
    if (done) remember(done, restore);
    // The link that is possible now is in the place of this button, and gets the focus.
    if (verb !== "set") focusAfter(form, command);
  };
  const open = (
    state: ToolPageState,
    isLinked: boolean,
    notice?: Notice,
    beside: BesideInput = {},
  ) => {
    change({ isLinked, beside, typed: [] });
    // What the text does not say is no mistake of the user's.
    if (beside.fill) visited.follow("clear");
    else visited.addAll();
    if (state.outcome.kind !== "done") clearResult();
    renew(state, notice);
    if (notice) tell(notice);
  };

  form.addEventListener("input", ({ target }) => {
    // The control that opens a file has no name and is not a field.
    const name = target instanceof Element && target.getAttribute("name");
    if (!name) return;
    isTouched = true;
    beforeTyping = undefined;
    if (!page.typed.includes(name)) change({ typed: [...page.typed, name] });
    update.soon();
  });
  // The result may be replaced only when the focus has come to it, so the update waits.
  visited.onLeave(update.soon);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.name === COMMAND) {
      press(submitter.value);
      return;
    }
    visited.addAll();
    update.now();
  });
  pasteLists(form, (pasted) => {
    const { label, schema } = fieldAt(runner.fields, pasted.list) ?? {};
    const count = pasted.lines.length + 1;
    // Rendering them would freeze the page.
    if (count > (schema?.maxItems ?? count)) {
      reject(
        `These are ${thousands(count)} lines, and “${label}” allows at most ${thousands(schema?.maxItems ?? 0)}. Nothing was pasted.`,
      );
      return;
    }
    const restore = save();
    pasted.writeFirst();
    renew(runForm(runner, withRows(readForm(form), pasted), visited.has));
    remember("Pasted", restore);
    focusAfter(form, `add ${pasted.list}`);
  });
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-preset]");
    if (!link) return;
    event.preventDefault();
    const restore = save();
    open(runText(runner, new URL(link.href).searchParams.get("input") ?? ""), false);
    remember(`Started from ${link.dataset.preset}`, restore);
    focusAfter(form, "");
  });
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-grow]")) return;
    change({ growth: target.valueAsNumber });
    showGrown(shownNow());
  });
  const openRead = (read: ReadText, index = 0) => {
    const typed = typedFor(read);
    const state = runInput(runner, { ...read.input, ...typed }, read.options);
    const [next] = read.fill && state.outcome.kind === "rejected" ? state.outcome.issues : [];
    const outcome = next ? ({ kind: "unfinished", next } as const) : state.outcome;
    open({ ...state, outcome }, false, { text: read.summary }, read);
    change({ typed: Object.keys(typed) });
    const field = next && read.fill && parseElement(fillField(read.fill.label));
    if (field) {
      form.querySelector("[data-notice]")?.append(field);
      field.querySelector("input")?.focus();
    }
    const chips = page.choices.length > 0 && parseElement(choice(page.choices, index));
    if (chips) form.querySelector("[data-notice]")?.append(chips);
  };
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-read]")) return;
    const index = Number(target.value);
    const read = page.choices[index];
    if (!read) return;
    const restore = save();
    openRead(read, index);
    form.querySelector<HTMLElement>("[data-read]:checked")?.focus();
    remember("Chosen", restore);
  });
  form.addEventListener("change", ({ target }) => {
    const { fill } = page.beside;
    if (!fill || !(target instanceof HTMLInputElement) || !target.matches("[data-fill]")) return;
    if (target.value.trim() === "") return;
    const { input, options } = shownNow();
    const filled = fill.fillIn(input, target.value);
    target.setCustomValidity(filled ? "" : "Must be a whole number");
    target.reportValidity();
    if (!filled) return;
    const restore = save();
    open(runInput(runner, filled, options), false);
    remember("Filled in", restore);
  });
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("[data-offer]"))) return;
    const offer = page.beside.offer?.(validInput(shownNow()));
    if (!offer) return;
    const restore = save();
    openRead(offer.read);
    remember(offer.done, restore);
    document.querySelector<HTMLElement>("#beside summary, #result [data-file]")?.focus();
  });
  const { reader } = runner.view;
  /** Reads a text that was opened before a reload, unless the user opens another meanwhile. */
  const compareWith = async (source: string) => {
    const { beside } = page;
    const read = await reader?.read(source);
    if (!read || page.beside !== beside) return;
    change({ beside: read });
    showGrown(shownNow());
  };
  const openText = async (
    done: string,
    text: string | undefined,
    field?: string,
    restore = save(),
    isWhole = field === undefined,
  ) => {
    const read = text === undefined ? undefined : await reader?.read(text, field);
    if (read && "input" in read) {
      change({ choices: read.choices ?? [] });
      openRead(read);
      remember(done, restore);
      return true;
    }
    if (isWhole) {
      if (read) change({ beside: { ...page.beside, ...read } });
      reject(`${read?.reason ?? "This cannot be read."} ${reader?.unchanged}`);
    }
    return false;
  };
  if (reader) {
    onFile((text) => openText("Opened", text), trial);
    onWholeText(async (text, isTyping) => {
      const restore = beforeTyping ?? save();
      const isRead = await openText("Read", text, undefined, restore, !isTyping);
      if (isRead || !isTyping) beforeTyping = isTyping ? restore : undefined;
      return isRead;
    });
    // This listener reads a pasted text before the field has it.
    onPastedText(form, save, (text, field, restore) => openText("Pasted", text, field, restore));
  }
  followInPageLinks((item) => press(`open ${item}`));
  let draft = keptDraft();
  if (draft) {
    change({ isLinked: draft.isLinked, typed: draft.typed });
    renew(runForm(runner, draft.data, visited.has));
    if (draft.source !== undefined) void compareWith(draft.source);
  }
  onSharedInput(form, (text, isOwn) => {
    // The draft is the newer one.
    if (isOwn && draft) return;
    const restore = isTouched ? save() : undefined;
    open(runText(runner, text), !isOwn);
    if (restore && !isOwn) remember("Opened the link", restore);
  });
  draft = undefined;
  keepDraft(form, () => {
    const data = readForm(form);
    return isTouched
      ? {
          data: runner.view.draft?.keep(data) ?? data,
          isLinked: page.isLinked,
          source: page.beside.source,
          typed: page.typed,
        }
      : undefined;
  });
  // The server shows the problems of all fields.
  if (document.querySelector("[data-outcome=rejected]")) visited.addAll();
  // A list that is full for the server may have more rows here.
  if (form.querySelector("button.add:disabled"))
    renew(runForm(runner, readForm(form), visited.has));
  // The user may have typed while this script was loading.
  if (isEdited(form)) update.now();
  onFirstUse(() => reader?.read(""));
}

const validInput = ({ outcome, input }: ToolPageState): unknown =>
  outcome.kind === "done" ? input : undefined;

/** The names of the changes that can be undone, by the verbs of their commands. */
const DONE: ReadonlyMap<string | undefined, string> = new Map([
  ["clear", "Cleared"],
  ["remove", "Removed"],
  ["set", "Replaced"],
]);

/** Loads at the first sign of a user what few need. Without a network it is loaded when it is needed. */
function onFirstUse(load: () => Promise<unknown> | undefined): void {
  const signs = new AbortController();
  const start = () => {
    signs.abort();
    load()?.catch(() => undefined);
  };
  for (const type of ["pointermove", "pointerdown", "focusin", "keydown", "dragenter"])
    document.addEventListener(type, start, { signal: signs.signal });
}
