import { onFirstInteraction } from "../first-interaction.ts";
import { takeHandedOver } from "../hand-over.ts";
import {
  afterPointerUp,
  getControlName,
  handlePageLinks,
  isEdited,
  listLeftFields,
} from "./browser-events.ts";
import { loadDraft, saveDraftOnLeave } from "./browser-storage.ts";
import {
  FROM_LINK,
  type HydratedPage,
  LINK_PROBLEM,
  replaceForm,
  type TextReader,
} from "./form-state.ts";
import { endAllTyping, type FormValues, parseForm } from "./form-values.ts";
import { applyIntent } from "./intents.ts";
import { intentOfKey, tokenTextOf } from "./keyboard.ts";
import {
  createShareLink,
  formFromLink,
  getShareableInput,
  isUrlFromThisTab,
  readInputFromUrl,
} from "./links.ts";
import { type AnyLiveForm, LiveForm } from "./live-form.ts";
import { PASTE_BOX, readText, watchFiles, watchPasteBox, watchPastes } from "./read-text.ts";

/** Takes a tool's page over in the browser. */
export async function hydrateToolPage<Result extends object, Extra, Reader extends TextReader>(
  page: HydratedPage<Result, Extra, Reader>,
): Promise<void> {
  const live = new LiveForm(page);
  // Not on a touch screen, where the keyboard would cover the page.
  if (matchMedia("(pointer: fine)").matches && location.hash === "")
    live.element.querySelector<HTMLElement>(FIRST_CONTROL)?.focus({ preventScroll: true });
  const isRestored = await restoreForm(live);
  watchControls(live);
  watchFiles(live);
  watchPasteBox(live);
  watchPastes(live);
  window.addEventListener("hashchange", () => openChangedUrl(live));
  saveDraftOnLeave(live.element, live.page, () => isRestored || live.history.past.length > 0);
  // Without a network the parsers are loaded when they are needed.
  onFirstInteraction(async () => {
    await live.loadReader().catch(() => undefined);
    if (page.needsReader?.(live.history.form) && !live.state?.extra) live.update();
  });
  live.element.dataset.ready = "";
  takeHandOver(live);
}

const FIRST_CONTROL = "#paste, .sheet input, .tokens > .text:first-child > *";

/**
 * Renders the draft, the input in the URL or the form as it is. The first rendering takes over the
 * server's elements.
 *
 * @returns whether there was a draft or a link.
 */
async function restoreForm(live: AnyLiveForm): Promise<boolean> {
  const draft = loadDraft();
  const linked = readInputFromUrl();
  // The draft is newer than the input that this tab wrote into its URL.
  const link = draft && isUrlFromThisTab() ? undefined : linked;
  const isTyped = isEdited(live.element);
  if (draft && !isTyped) {
    if (live.page.needsReader?.(draft)) await live.loadReader().catch(() => undefined);
    live.render(draft);
  } else if (link !== undefined && !isTyped) live.render(formFromUrl(live, link));
  else live.update();
  if (link !== undefined && (draft || isTyped)) openLink(live, link);
  return draft !== undefined || linked !== undefined;
}

/** The form for the input in the URL. It came in a link, unless this tab wrote it there. */
function formFromUrl(live: AnyLiveForm, text: string): FormValues {
  const form = formFromLink(live.page, live, text);
  if (isUrlFromThisTab()) form.delete(FROM_LINK);
  return form;
}

function openLink(live: AnyLiveForm, text: string): void {
  live.lastValid = undefined;
  const linked = formFromUrl(live, text);
  const notice = linked.has(LINK_PROBLEM) ? "" : "Opened the link.";
  live.change((form) => replaceForm(form, linked), notice);
}

function openChangedUrl(live: AnyLiveForm): void {
  const text = readInputFromUrl();
  const input = live.state && getShareableInput(live.state);
  const own =
    input && new URL(createShareLink(live.page, input, live.history.form), location.href).hash;
  // Ignore a URL with the form's own input: it lacks the secrets.
  if (text !== undefined && location.hash !== own) openLink(live, text);
}

/** Takes what was typed into a card of the home page. */
function takeHandOver(live: AnyLiveForm): void {
  const handedOver = takeHandedOver();
  const pasted = handedOver?.get(PASTE_BOX);
  if (pasted) void readText(live, pasted);
  else if (handedOver)
    live.change((form) => {
      replaceForm(form, parseForm(handedOver));
      endAllTyping(form, live.page.fields);
      return live.page.controlAfterHandOver;
    }, "Filled in.");
}

function watchControls(live: AnyLiveForm): void {
  const { root, element, page } = live;
  root.addEventListener("input", (event) => {
    const name = getControlName(event.target);
    if (name !== "") live.input(name, event instanceof InputEvent);
  });
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    live.apply(event.submitter?.getAttribute("value") ?? "");
  });
  root.addEventListener("focusout", ({ target, relatedTarget }) => {
    const names = listLeftFields(target, relatedTarget);
    // A removed control loses the focus during rendering.
    if (live.isDrawing || names.length === 0) return;
    const text = tokenTextOf(target);
    afterPointerUp(() => {
      if (text) endText(live, text);
      live.leave(names);
    });
  });
  root.addEventListener("keydown", (event) => {
    const intent = intentOfKey(event, page.fields);
    if (intent !== undefined) live.apply(intent);
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z")
      return;
    const { target } = event;
    const isPasteBox = target instanceof HTMLTextAreaElement && target.id === PASTE_BOX;
    // A text that is being typed has an undo of its own.
    if (live.history.typedField !== "" || (isPasteBox && target.value !== "")) return;
    event.preventDefault();
    live.apply(event.shiftKey ? "redo" : "undo");
  });
  // Do not let the user download or copy an outdated result.
  root.addEventListener("click", () => live.isUpdateDue && live.update(), { capture: true });
  handlePageLinks(element, (item) =>
    live.update((form) => applyIntent(form, `open ${item}`, { fields: page.fields })),
  );
}

/** Turns a typed text that was left into tokens, unless the user is back in it. */
function endText(live: AnyLiveForm, text: HTMLTextAreaElement): void {
  if (text === document.activeElement || !text.isConnected || text.value.trim() === "") return;
  live.update((form) => {
    applyIntent(form, `add ${text.name}`, live.page);
  });
}
