import { render, type VNode } from "preact";
import { pasteLines, press, readForm, type Tree, toTree } from "./form.ts";
import { announce, isEdited, keepDraft, readDraft, readLink, writeLink } from "./keep.ts";
import { type Host, LEFT, leave, runForm, type State, type ToolPage } from "./run-form.ts";

/**
 * What a page reads from a file that is opened or dropped, or from a text in the paste box or in a grid.
 *
 * @param name of the file, or of the grid's control; empty for the paste box.
 */
export type ReadText = (text: string, name: string) => Promise<ReadOutcome>;

export type ReadOutcome =
  | { readonly change: Change; readonly notice: string }
  /** Why nothing was read, in a sentence. */
  | { readonly reason: string };

export interface LiveOptions<Result> {
  /** The page as it is now. By default it is the page's own view. */
  readonly view?: (state: State<Result>, shown: Shown<Result>) => VNode;
  readonly read?: ReadText;
}

/** What is shown beside the form, and what listens to both. */
export interface Shown<Result> {
  readonly notice: Notice | undefined;
  /** The last result, for a form that has none now. */
  readonly stale: Result | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly on: Listeners;
  /** Reads a text of the user into the form. */
  readonly open: (text: string, name: string) => void;
}

export interface Notice {
  readonly text: string;
  readonly isError?: boolean;
}

export interface Listeners {
  onInput(event: Event): void;
  onSubmit(event: SubmitEvent): void;
  onFocusOut(event: FocusEvent): void;
  onKeyDown(event: KeyboardEvent): void;
  onPaste(event: ClipboardEvent): void;
  onClick(event: MouseEvent): void;
  onClickCapture(): void;
}

/** Changes a form, and names what gets the focus. */
export type Change = (tree: Tree) => string | undefined;

/** A result that takes longer, in milliseconds, waits for a pause in the typing. */
const QUICK_MS = 12;
const MAX_PAUSE_MS = 200;

const MAX_STEPS = 100;

/** Browsers limit how often a page may change its address. */
const LINK_PAUSE_MS = 500;

/**
 * Runs a page in the browser. The form is the only state: whatever happens, it is read, changed, run
 * and rendered. Undo is a stack of earlier forms.
 */
export function live<Result extends object>(
  form: HTMLFormElement,
  page: ToolPage<Result>,
  host: Host<Result>,
  { view = (state, shown) => page.view({ state, live: shown }), read }: LiveOptions<Result> = {},
) {
  const root = form.closest(".tool-page") ?? document.body;
  const past: FormData[] = [];
  const future: FormData[] = [];
  /** The form as it is shown. */
  let data = new FormData(form);
  /** The control that is typed in; empty after any other change. */
  let typing = "";
  let stale: Result | undefined;
  let notice: Notice | undefined;
  let cost = 0;
  let due: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let linking: ReturnType<typeof setTimeout> | undefined;

  /** Everything that happens comes here. */
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
    const state = runForm(page, host, tree);
    stale = state.result ?? (state.isBlank ? undefined : stale);
    render(
      view(state, {
        notice,
        stale,
        canUndo: past.length > 0,
        canRedo: future.length > 0,
        on,
        open: (text, name) => void open(text, name),
      }),
      root,
    );
    data = new FormData(form);
    announce(notice?.text ?? page.summary(state));
    clearTimeout(linking);
    if (state.result && !page.contract.sensitive)
      linking = setTimeout(writeLink, LINK_PAUSE_MS, state.input);
  }

  function remember(earlier: FormData): void {
    past.push(earlier);
    if (past.length > MAX_STEPS) past.shift();
    future.length = 0;
  }

  /** Makes a change that can be undone. */
  function change(how: Change, words?: Notice): void {
    remember(new FormData(form));
    typing = "";
    notice = words;
    show(how);
  }

  function step(from: FormData[], to: FormData[]): void {
    const earlier = from.pop();
    if (!earlier) return;
    to.push(new FormData(form));
    typing = "";
    notice = undefined;
    draw(readForm(earlier));
  }

  /** The grid that a control is a cell of. */
  const gridOf = (name: string): string | undefined => {
    const list = /^(\w+)\[\d+\]\.\w+$/.exec(name)?.[1];
    return page.fields[list ?? ""]?.kind === "grid" ? list : undefined;
  };

  const on: Listeners = {
    onInput({ target }) {
      const name = nameOf(target);
      if (name === "") return;
      if (name !== typing) remember(data);
      typing = name;
      notice = undefined;
      clearTimeout(due);
      isDue = true;
      if (cost < QUICK_MS) show();
      else due = setTimeout(show, Math.min(cost, MAX_PAUSE_MS));
    },
    onSubmit(event) {
      event.preventDefault();
      const command = event.submitter?.getAttribute("value") ?? "";
      if (command === "undo") step(past, future);
      else if (command === "redo") step(future, past);
      else if (command === "") show((tree) => leave(tree));
      else change((tree) => page.press?.(tree, command) ?? press(tree, command, page.fields));
    },
    onFocusOut({ target, relatedTarget }) {
      const left = String(data.get(LEFT) ?? "").split(" ");
      const names = leftBy(target, relatedTarget).filter((name) => !left.includes(name));
      if (names.length > 0) whenReleased(() => show((tree) => leave(tree, names)));
    },
    onKeyDown(event) {
      const { target, key, isComposing } = event;
      const list = /^(.+)\[\d+\]$/.exec(nameOf(target))?.[1] ?? gridOf(nameOf(target));
      if (key === "Enter" && list !== undefined && !isComposing) {
        event.preventDefault();
        change((tree) => press(tree, `add ${list}`, page.fields));
      }
      // A field that is typed in has an undo of its own.
      if (!(event.ctrlKey || event.metaKey) || key.toLowerCase() !== "z" || typing !== "") return;
      event.preventDefault();
      if (event.shiftKey) step(future, past);
      else step(past, future);
    },
    onPaste(event) {
      const name = nameOf(event.target);
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (gridOf(name) !== undefined && /[\t\r\n]/.test(text.trim())) {
        event.preventDefault();
        void open(text, name);
      }
      if (!/\[\d+\]$/.test(name) || !/[\r\n]/.test(text.trim())) return;
      event.preventDefault();
      change((tree) => pasteLines(tree, name, text));
    },
    /** Nobody downloads or copies what is not up to date. */
    onClickCapture() {
      if (isDue) show();
    },
    /** A link to a field opens its closed item, and writes no name into the address, which has the input. */
    onClick(event) {
      const link =
        event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[href^="#"]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const name = decodeURIComponent(link.hash.slice(1));
      const item = /^\w+\[\d+\]/.exec(name)?.[0];
      if (item !== undefined && document.getElementById(item)?.matches(".closed"))
        show((tree) => press(tree, `open ${item}`, page.fields));
      document.getElementById(name)?.scrollIntoView();
      focusOn(form, name);
    },
  };

  async function open(text: string, name: string): Promise<void> {
    const outcome = await read?.(text, name);
    if (!outcome) return;
    if ("reason" in outcome) {
      notice = { text: `${outcome.reason} Nothing was changed.`, isError: true };
      show();
    } else change(outcome.change, { text: outcome.notice });
  }
  if (read) openDropped(open);

  const openLink = (input: unknown) =>
    change((tree) => {
      tree.clear();
      for (const [name, value] of toTree(input, page.fields)) tree.set(name, value);
      tree.set("linked", "true");
      return leave(tree);
    });
  // The first rendering takes over the server's elements, and would close what the user has opened.
  const opened = root.querySelectorAll("details[open]");
  const linked = readLink();
  const draft = readDraft();
  if (linked !== undefined) openLink(linked);
  else if (draft && !isEdited(form)) draw(draft);
  else show();
  past.length = 0;
  for (const fold of opened) fold.toggleAttribute("open", true);
  addEventListener("hashchange", () => {
    const input = readLink();
    if (input !== undefined) openLink(input);
  });
  // What may hold secrets stays out of storage and addresses.
  if (page.contract.sensitive) return { show, change };
  keepDraft(form, () => past.length > 0 || draft !== undefined || linked !== undefined);
  return { show, change };
}

/** Opens a file that is dropped anywhere on the page. */
function openDropped(open: (text: string, name: string) => Promise<void>): void {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file) await open(await file.text(), file.name);
  });
}

const nameOf = (target: EventTarget | null): string =>
  (target instanceof Element && target.getAttribute("name")) || "";

const CONTROLS = "input:not([type=hidden], [type=file]), select, textarea";

/** Goes to a control, a row, a field or a button, by its name or by its command. */
function focusOn(form: HTMLFormElement, name: string): void {
  const at = document.getElementById(name) ?? form.querySelector(`[value="${CSS.escape(name)}"]`);
  const control = at?.matches(`${CONTROLS}, button`) ? at : at?.querySelector(CONTROLS);
  const fold = control?.closest(".group")?.querySelector("details");
  if (!(control instanceof HTMLElement)) return;
  // A rare field may be folded away.
  if (fold && control.offsetParent === null) fold.open = true;
  control.focus();
}

/** The control, and the groups around it that the focus leaves for another element. */
function leftBy(control: EventTarget | null, next: EventTarget | null): string[] {
  const name = nameOf(control);
  if (!(control instanceof HTMLElement) || name === "" || name === "do") return [];
  const names = [name];
  for (
    let group = control.parentElement;
    next instanceof Element && group && !group.contains(next);
    group = group.parentElement
  )
    if (group.id !== "") names.push(group.id);
  return names;
}

/** Runs once no button is pressed: a message must not move what is about to be clicked. */
function whenReleased(run: () => void): void {
  if (!isPressed) run();
  else for (const type of ENDS) addEventListener(type, () => setTimeout(run), { once: true });
}

const ENDS = ["pointerup", "pointercancel"];

let isPressed = false;
for (const type of ["pointerdown", ...ENDS])
  addEventListener(
    type,
    () => {
      isPressed = type === "pointerdown";
    },
    true,
  );
