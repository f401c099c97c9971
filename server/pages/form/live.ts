import { render, type VNode } from "preact";
import * as v from "valibot";
import type { Contract, ResultOf } from "../../../schemas/index.ts";
import { decodeText, thousands } from "../../../src/text.ts";
import { runTool, type Tool, withExtendedLimits } from "../../../src/tool.ts";
import { announce, announceLater } from "../announce.ts";
import { readRunOptions } from "../browser/run-options.ts";
import { atFirstSign } from "../first-sign.ts";
import { takeHandedOver } from "../hand-over.ts";
import { addLines, MAX_ROWS, press, readForm, type Tree } from "./form.ts";
import {
  focusedName,
  focusOn,
  followLinks,
  keepInPlace,
  leftBy,
  nameOf,
  onDrop,
  whenReleased,
} from "./gestures.ts";
import {
  hasLink,
  isEdited,
  isOwnLink,
  keepChoice,
  keepDraft,
  linkTo,
  readChoices,
  readDraft,
  readLink,
  writeAddressLater,
} from "./keep.ts";
import {
  type BrowserProps,
  type Change,
  type Host,
  LEFT,
  LINK_PROBLEM,
  LINKED,
  leave,
  linkedForm,
  type Notice,
  pressButton,
  replace,
  runForm,
  type State,
  sharedInput,
  sizeIssue,
  type ToolPage,
} from "./run-form.ts";

/**
 * Reads a text of the user: a file, or what was pasted. Undefined for a text in a field that is only the
 * field's value.
 *
 * @param field the control or the cell that it was pasted into; empty for a text by itself.
 */
type ReadText = (text: string, field: string) => Promise<ReadOutcome | undefined>;

export type ReadOutcome =
  | { readonly change: Change; readonly notice: string }
  /** Why nothing was read, in a sentence. */
  | { readonly reason: string };

export interface LiveOptions<Result> {
  /** The page as it is now. By default it is the page's own view. */
  readonly view?: (state: State<Result>, shown: BrowserProps<Result>) => VNode;
  readonly read?: ReadText;
  /** Choices that the browser remembers and undo leaves alone: by the names of their controls, as they are at first. */
  readonly remembered?: Readonly<Record<string, string>>;
  /** Loads at the first sign of a user what few need, so that the page works offline later. */
  readonly preload?: () => Promise<unknown>;
}

/** A result that takes longer, in milliseconds, waits for a pause in the typing. */
const QUICK_MS = 12;
const MAX_PAUSE_MS = 200;

const MAX_STEPS = 100;

/** How long the way back is offered above everything else. */
const OFFERED_MS = 4_000;

/** Ten times the size of a thousand filters. */
const MAX_FILE_BYTES = 10_000_000;

/** The words for what a button of the form did, by its verb. */
const DONE: ReadonlyMap<string | undefined, string> = new Map([
  ["clear", "Cleared."],
  ["remove", "Removed."],
  ["copy", "Duplicated."],
  ["fix", "Fixed."],
  ["preset", "Added."],
  ["example", "Back to the example."],
]);

/** A form as it was, and the control that had the focus. */
interface Step {
  readonly data: FormData;
  readonly focus: string;
}

/**
 * Runs a page in the browser. The form has all of the input: whatever changes it, it is read, changed,
 * run and rendered. Undo is a stack of earlier forms. Beside it are only what is shown for a while and
 * what the browser remembers.
 */
export function live<C extends Contract>(
  page: ToolPage<ResultOf<C>>,
  tool: Tool<C>,
  options: LiveOptions<ResultOf<C>> = {},
) {
  type Result = ResultOf<C>;
  const { view = (state, shown) => page.view({ state, live: shown }), read } = options;
  const form = findForm();
  const root = form.closest<HTMLElement>(".tool-page") ?? document.body;
  const host = browserHost(tool, root.dataset);
  const past: Step[] = [];
  const future: Step[] = [];
  const choices = readChoices(options.remembered ?? {});
  /** The form as it is shown, and its outcome. */
  let data = new FormData(form);
  let current: State<Result> | undefined;
  /** The control that is typed in; empty after any other change. */
  let typing = "";
  let lastGood: State<Result> | undefined;
  let notice: Notice | undefined;
  let toast: BrowserProps<Result>["toast"];
  let toasting: ReturnType<typeof setTimeout> | undefined;
  let cost = 0;
  let due: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isDrawing = false;
  let writeAddress = (): void => undefined;

  /** Reads the form, changes it, and draws the page. Only undo and a draft draw another form. */
  function show(change?: Change): void {
    clearTimeout(due);
    isDue = false;
    const started = performance.now();
    const tree = readForm(new FormData(form));
    const focus = change?.(tree);
    draw(tree);
    if (typeof focus === "string") focusOn(form, focus);
    cost = performance.now() - started;
  }

  function draw(tree: Tree): void {
    for (const [name, value] of Object.entries(choices)) tree.set(name, value);
    const state = runForm(page, host, tree);
    const isFirst = current === undefined;
    current = state;
    if (state.result || state.isBlank) lastGood = state;
    const node = view(state, {
      notice,
      toast,
      lastGood,
      canUndo: past.length > 0,
      canRedo: future.length > 0,
      on,
      open,
      openFiles,
      change: (how, words = "") => change(how, words),
    });
    isDrawing = true;
    keepInPlace(() => render(node, root));
    isDrawing = false;
    data = new FormData(form);
    if (isFirst) return;
    announceLater(() => document.getElementById("status")?.innerText ?? "");
    writeAddress = writeAddressLater(state);
  }

  const here = (): Step => ({ data: new FormData(form), focus: focusedName() });

  function remember(step: Step): void {
    past.push(step);
    if (past.length > MAX_STEPS) past.shift();
    future.length = 0;
  }

  /** Makes a change that can be undone. @param words what was done, in a sentence. */
  function change(how: Change, words: string, said?: Notice, before = here()): void {
    remember(before);
    typing = "";
    notice = said;
    if (words === "") withdraw();
    else offer(words, "undo");
    edit(how);
  }

  /** What a link could not say is no problem of a form that has changed. */
  const edit = (how: Change) =>
    show((tree) => {
      tree.delete(LINK_PROBLEM);
      return how(tree);
    });

  /** Goes to another form of a stack. */
  function step(from: Step[], to: Step[], words: string, back: "undo" | "redo"): void {
    const other = from.pop();
    if (!other) return;
    to.push({ ...here(), focus: other.focus });
    typing = "";
    notice = undefined;
    offer(words, back);
    draw(readForm(other.data));
    focusOn(form, other.focus);
  }
  const undo = () => step(past, future, "Undone.", "redo");
  const redo = () => step(future, past, "Redone.", "undo");

  function offer(text: string, command: "undo" | "redo"): void {
    toast = { text, command };
    announce(command === "undo" ? `${text} Press Control Z to undo.` : text);
    clearTimeout(toasting);
    toasting = setTimeout(hideToast, OFFERED_MS);
  }

  function withdraw(): void {
    clearTimeout(toasting);
    toast = undefined;
  }

  function hideToast(): void {
    // Nobody loses a button that they are about to press.
    if (form.querySelector(".undo:is(:hover, :focus-within)")) {
      toasting = setTimeout(hideToast, OFFERED_MS);
      return;
    }
    toast = undefined;
    show();
  }

  /** The grid that a control is a cell of. */
  const gridOf = (name: string): string | undefined => {
    const list = /^(\w+)\[\d+\]\.\w+$/.exec(name)?.[1];
    return page.fields[list ?? ""]?.kind === "grid" ? list : undefined;
  };

  const on: BrowserProps<Result>["on"] = {
    onInput(event) {
      const name = nameOf(event.target);
      if (name === "") return;
      // What is typed has an undo of its own, a box that is ticked has none.
      const isText = event instanceof InputEvent;
      if (name in choices) keepChoice(choices, name, String(new FormData(form).get(name)));
      else if (!isText || name !== typing) remember({ data, focus: name });
      typing = isText ? name : "";
      if (!(name in choices)) notice = undefined;
      withdraw();
      clearTimeout(due);
      isDue = true;
      const follow = () => edit(() => undefined);
      if (cost < QUICK_MS) follow();
      else due = setTimeout(follow, Math.min(cost, MAX_PAUSE_MS));
    },
    onSubmit(event) {
      event.preventDefault();
      const command = event.submitter?.getAttribute("value") ?? "";
      if (command === "undo") undo();
      else if (command === "redo") redo();
      else if (command === "") show((tree) => leave(tree));
      else
        change(
          (tree) => pressButton(page, tree, command),
          DONE.get(command.split(" ", 1)[0]) ?? "",
        );
    },
    onFocusOut({ target, relatedTarget }) {
      // What is removed loses the focus while the page is drawn.
      if (isDrawing) return;
      const left = String(data.get(LEFT) ?? "").split(" ");
      const names = leftBy(target, relatedTarget).filter((name) => !left.includes(name));
      if (names.length > 0) whenReleased(() => show((tree) => leave(tree, names)));
    },
    onKeyDown(event) {
      const { target, key, isComposing } = event;
      const name = nameOf(target);
      const list = /^(.+)\[\d+\](?:\.(?:key|value))?$/.exec(name)?.[1] ?? gridOf(name);
      const isAtEnd = isAddressField(target) && target.selectionStart === target.value.length;
      const ends =
        key === "Enter" || (key === "," && isAtEnd && /^\S*@\S+\.\w+$/.test(target.value));
      // After a comma people type one.
      if (key === " " && isAtEnd && target.value === "") event.preventDefault();
      if (ends && list !== undefined && !isComposing) {
        event.preventDefault();
        change((tree) => press(tree, `add ${list}`, page.fields), "");
      }
      if (!(event.ctrlKey || event.metaKey) || event.altKey || key.toLowerCase() !== "z") return;
      // A field that is typed in has an undo of its own.
      if (typing !== "") return;
      event.preventDefault();
      if (event.shiftKey) redo();
      else undo();
    },
    onPaste(event) {
      const { target } = event;
      const name = nameOf(target);
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (name === "" || text.trim() === "") return;
      const grid = gridOf(name);
      const before = here();
      const isRow = target instanceof HTMLInputElement && /\[\d+\]$/.test(name);
      const isAddresses = isRow && isAddressField(target) && ADDRESSES.test(text);
      const between = isAddresses ? /[,;\r\n]+/ : /[\r\n]+/;
      if (grid !== undefined && /[\t\r\n]/.test(text.trim())) {
        event.preventDefault();
        void open(text, { field: name });
      } else if (isRow && between.test(text)) {
        event.preventDefault();
        pasteRows(target, text.split(between));
      } else if (read && grid === undefined && text.length < MAX_FILE_BYTES)
        // The field gets the text too, unless it is a whole of its own.
        setTimeout(async () => {
          const outcome = await read(text, name);
          if (outcome && "change" in outcome)
            change(outcome.change, outcome.notice, { text: outcome.notice }, before);
        });
    },
    /** Nobody downloads or copies what is not up to date. */
    onClickCapture() {
      if (isDue) show();
    },
  };

  /**
   * Makes a row of each text, the first of which is for the row itself. Drawing more than a list may have
   * would take long.
   */
  function pasteRows(row: HTMLInputElement, texts: readonly string[]): void {
    const list = row.name.slice(0, row.name.lastIndexOf("["));
    const [first = "", ...others] = texts.map((text) => text.trim()).filter(Boolean);
    if (others.length >= MAX_ROWS) {
      const [count, most] = [others.length + 1, MAX_ROWS - 1].map(thousands);
      reject(`You pasted ${count} lines; a list takes at most ${most}.`);
      return;
    }
    const before = here();
    const { selectionStart, selectionEnd, value } = row;
    row.setRangeText(first, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
    const how: Change = (tree) => (others.length > 0 ? addLines(tree, list, others) : row.name);
    change(how, "Pasted.", undefined, before);
  }

  function reject(reason: string): void {
    notice = { text: `${reason} Nothing was changed.`, isError: true };
    announce(notice.text);
    show();
  }

  async function open(text: string, { isTyping = false, field = "" } = {}): Promise<boolean> {
    if (!read) return false;
    const outcome = await read(text, field).catch(() => ({
      reason: "This page’s reader did not load. Check your connection and try again.",
    }));
    if (outcome && "change" in outcome) {
      const words = { text: outcome.notice };
      // A text that is typed on is one change.
      const before = typing === BOX ? past.pop() : undefined;
      // An earlier result says nothing of what was opened.
      if (!isTyping) lastGood = undefined;
      change(outcome.change, outcome.notice, words, before);
      if (isTyping) typing = BOX;
      return true;
    }
    if (!isTyping) reject(outcome?.reason ?? "This cannot be read.");
    return false;
  }

  async function openFiles([file]: readonly File[]): Promise<void> {
    if (!file) return;
    const bytes =
      file.size <= MAX_FILE_BYTES ? await file.arrayBuffer().catch(() => undefined) : undefined;
    if (bytes) await open(decodeText(new Uint8Array(bytes), { fatal: false }));
    else reject("This file is too large, or it is a folder.");
  }

  /** The form of the link in the address. What this tab wrote there itself is not from elsewhere. */
  function formOfLink(text: string): Tree {
    const tree = linkedForm(page, host, text);
    if (isOwnLink()) tree.delete(LINKED);
    return tree;
  }

  function openLink(text: string): void {
    lastGood = undefined;
    change((tree) => replace(tree, formOfLink(text)), "Opened the link.");
  }

  const currentHash = () => {
    const input = current && sharedInput(current);
    return input && new URL(linkTo(page, input), location.href).hash;
  };

  // The first rendering takes over the server's elements, and would close what the user has opened.
  const opened = root.querySelectorAll("details[open]");
  const draft = readDraft();
  const linked = readLink();
  // The draft is newer than the input in the tab's own address.
  const link = draft && isOwnLink() ? undefined : linked;
  const isTyped = isEdited(form);
  if (draft && !isTyped) draw(draft);
  else if (link !== undefined && !isTyped) draw(formOfLink(link));
  else show();
  for (const fold of opened) fold.toggleAttribute("open", true);
  if (link !== undefined && (draft || isTyped)) openLink(link);
  window.addEventListener("hashchange", ({ oldURL }) => {
    const text = readLink();
    // Of an address with the form's own input nothing is opened: it has no secrets.
    if (text !== undefined && location.hash !== currentHash()) openLink(text);
    else if (location.hash === "" && hasLink(oldURL) && !page.contract.sensitive)
      change((tree) => pressButton(page, tree, "example"), "");
  });
  if (read) {
    onDrop(openFiles);
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      const isInField = event.target instanceof Element && event.target.closest(FIELDS);
      if (isInField || text.trim() === "") return;
      event.preventDefault();
      void open(text);
    });
  }
  followLinks(
    form,
    () => writeAddress(),
    (item) => show((tree) => press(tree, `open ${item}`, page.fields)),
  );
  const isKept = draft !== undefined || linked !== undefined;
  keepDraft(form, page, () => isKept || past.length > 0);
  const { preload } = options;
  // Without a network it is loaded when it is needed.
  if (preload) atFirstSign(() => preload().catch(() => undefined));
  form.dataset.ready = "";
  const handedOver = takeHandedOver();
  const pasted = handedOver?.get(BOX);
  // The page's own script, which reads it, runs to its end first.
  if (pasted) setTimeout(() => open(pasted));
  else if (handedOver) change((tree) => replace(tree, readForm(handedOver)), "Filled in.");
  return { show, change };
}

function findForm(): HTMLFormElement {
  const form = document.querySelector<HTMLFormElement>("#tool-form");
  if (form) return form;
  throw new Error("The page has no form");
}

/** Runs a tool in the page, with the limits of the command line. */
function browserHost<C extends Contract>(
  given: Tool<C>,
  { baseUrl = "" }: DOMStringMap,
): Host<ResultOf<C>> {
  const tool = withExtendedLimits(given);
  return {
    baseUrl,
    priceBook: readRunOptions().priceBook,
    run: (input, options) => runTool(tool, input, { ...readRunOptions(), ...options }),
    isBeyondApi: (input) =>
      !v.is(given.contract.input, input) || sizeIssue(JSON.stringify(input)) !== undefined,
  };
}

/** Counts as the control that is typed in while a text is read in the box above the form. */
const BOX = "paste";

const FIELDS = "input, textarea, select, [contenteditable]";

/** Several addresses with commas between them. */
const ADDRESSES = /^[^@,;]*@[^@,;]*(?:[,;][^@,;]*@[^@,;]*)+[,;]?\s*$/;

const isAddressField = (field: EventTarget | null): field is HTMLInputElement =>
  field instanceof HTMLInputElement && field.inputMode === "email";
