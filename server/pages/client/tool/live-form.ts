import { thousands } from "../../../../src/text.ts";
import { fieldAt } from "../../form/form-fields.ts";
import { COMMAND, runInput, runText, type ToolRunner, validInput } from "../../tool/state.ts";
import { focusAfter } from "../focus.ts";
import { followInPageLinks } from "../in-page-links.ts";
import { keepDraft, keptDraft } from "./draft.ts";
import { isEdited, readForm } from "./form-content.ts";
import { type FormPage, formPage } from "./form-page.ts";
import { onFile, onPastedText, onWholeText, pasteLists, withRows } from "./open-text.ts";
import { onSharedInput } from "./share.ts";

/** Runs a tool in the page: the result follows what the user types, and nothing is sent. */
export function liveForm(form: HTMLFormElement, runner: ToolRunner, baseUrl: string): void {
  const page = formPage(form, runner, baseUrl);
  onButton(page);
  onPastedLines(page);
  onPreset(page);
  onChoice(page);
  onFill(page);
  onOffer(page);
  onTyping(page, onText(page));
  followInPageLinks((item) => page.press(`open ${item}`));
  onReturn(page);
  // The server shows the problems of all fields.
  if (document.querySelector("[data-outcome=rejected]")) page.visited.addAll();
  // A list that is full for the server may have more rows here.
  if (form.querySelector("button.add:disabled")) page.renew();
  // The user may have typed while this script was loading.
  if (isEdited(form)) page.update.now();
  onFirstUse(() => runner.view.reader?.read(""));
}

/** @param also what to do before the page follows. */
function onTyping({ form, type, visited, update }: FormPage, also: () => void): void {
  form.addEventListener("input", ({ target }) => {
    // The control that opens a file has no name and is not a field.
    const name = target instanceof Element && target.getAttribute("name");
    if (!name) return;
    also();
    type(name);
  });
  // The result may be replaced only when the focus has come to it, so the update waits.
  visited.onLeave(update.soon);
}

function onButton({ form, press, visited, update }: FormPage): void {
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
}

/** Makes a row of each line that is pasted into a list. */
function onPastedLines({ form, runner, reject, captureState, renew, offerUndo }: FormPage): void {
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
    const restore = captureState();
    pasted.writeFirst();
    renew(withRows(readForm(form), pasted));
    offerUndo("Pasted", restore);
    focusAfter(form, `add ${pasted.list}`);
  });
}

function onPreset({ form, runner, captureState, open, offerUndo }: FormPage): void {
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-preset]");
    if (!link) return;
    event.preventDefault();
    const restore = captureState();
    open(runText(runner, new URL(link.href).searchParams.get("input") ?? ""), false);
    offerUndo(`Started from ${link.dataset.preset}`, restore);
    focusAfter(form, "");
  });
}

/** Opens another input of a text that has several. */
function onChoice({ form, state, captureState, openRead, offerUndo }: FormPage): void {
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-read]")) return;
    const index = Number(target.value);
    const read = state().choices[index];
    if (!read) return;
    const restore = captureState();
    openRead(read, index);
    form.querySelector<HTMLElement>("[data-read]:checked")?.focus();
    offerUndo("Chosen", restore);
  });
}

/** Puts a number in the place of all that an opened text does not say. */
function onFill({ form, runner, state, current, captureState, open, offerUndo }: FormPage): void {
  form.addEventListener("change", ({ target }) => {
    const { fill } = state().extras;
    if (!fill || !(target instanceof HTMLInputElement) || !target.matches("[data-fill]")) return;
    if (target.value.trim() === "") return;
    const { input, options } = current();
    const filled = fill.fillIn(input, target.value);
    target.setCustomValidity(filled ? "" : "Must be a whole number");
    target.reportValidity();
    if (!filled) return;
    const restore = captureState();
    open(runInput(runner, filled, options), false);
    offerUndo("Filled in", restore);
  });
}

/** Opens the input that the page offers beside the form, such as merged filters. */
function onOffer({ state, current, captureState, openRead, offerUndo }: FormPage): void {
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && target.closest("[data-offer]"))) return;
    const offer = state().extras.offer?.(validInput(current()));
    if (!offer) return;
    const restore = captureState();
    openRead(offer.read);
    offerUndo(offer.done, restore);
    document.querySelector<HTMLElement>("#beside summary, #result [data-file]")?.focus();
  });
}

/**
 * Opens files and texts for a tool that reads some.
 *
 * @returns a function to call when the user types in the form.
 */
function onText({ form, runner, trial, captureState, openText }: FormPage): () => void {
  /** Brings back the form as it was before the text that is being typed in the box was read. */
  let beforeTyping: (() => void) | undefined;
  if (runner.view.reader) {
    onFile((text) => openText("Opened", text), trial);
    onWholeText(async (text, isTyping) => {
      const restore = beforeTyping ?? captureState();
      const isRead = await openText("Read", text, undefined, restore, !isTyping);
      if (isRead || !isTyping) beforeTyping = isTyping ? restore : undefined;
      return isRead;
    });
    // This listener reads a pasted text before the field has it.
    onPastedText(form, captureState, (text, field, restore) =>
      openText("Pasted", text, field, restore),
    );
  }
  return () => {
    beforeTyping = undefined;
  };
}

/** Puts back what the tab has kept of the form, or opens the input in the page's address. */
function onReturn(page: FormPage): void {
  const { form, runner, state } = page;
  let draft = keptDraft();
  if (draft) {
    page.setState({ isLinked: draft.isLinked, typed: draft.typed });
    page.renew(draft.data);
    if (draft.source !== undefined) void page.compareWith(draft.source);
  }
  onSharedInput(form, (text, isOwn) => {
    // The draft is newer than the input in the tab's own address.
    if (isOwn && draft) return;
    const restore = page.isTouched() ? page.captureState() : undefined;
    page.open(runText(runner, text), !isOwn);
    if (restore && !isOwn) page.offerUndo("Opened the link", restore);
  });
  draft = undefined;
  keepDraft(form, () => {
    const data = readForm(form);
    const { isLinked, extras, typed } = state();
    return page.isTouched()
      ? { data: runner.view.draft?.keep(data) ?? data, isLinked, source: extras.source, typed }
      : undefined;
  });
}

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
