import { editRows, formData } from "../form/form-data.ts";
import {
  COMMAND,
  stateOfForm,
  stateOfInput,
  stateOfText,
  type ToolPageState,
  type ToolRunner,
} from "../tool/state.ts";
import { toolForm } from "../tool/workbench.ts";
import type { ReadText } from "../view.ts";
import { announce } from "./feedback.ts";
import { onFile, onPastedText, pasteLists, withRows } from "./open-text.ts";
import { elementOf, focusAfter, followInPageLinks, replaceContent } from "./page-parts.ts";
import { onSharedInput, showInAddress } from "./share.ts";
import { showMessages, showOutcome } from "./show.ts";
import { visitedFields } from "./visited.ts";

/** A form whose result takes longer than a frame waits for a pause in typing. */
const FRAME_MS = 12;
const PAUSE_MS = 60;

/**
 * Runs a tool in the page: the result follows what the user types, and nothing is sent. The same
 * code renders form and result on the server.
 */
export function liveForm(
  form: HTMLFormElement,
  runner: ToolRunner,
  baseUrl: string,
  readProduct: ReadProduct,
): void {
  const visited = visitedFields(form);
  let isLinked = false;
  let lastMs = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;

  const show = (state: ToolPageState, notice = "") => {
    showMessages(form, state);
    showOutcome({ ...state, isLinked }, baseUrl, notice);
    if (state.outcome.kind === "done" || state.outcome.kind === "blank") showInAddress(form);
  };
  const stop = () => {
    clearTimeout(pause);
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
  };
  const update = () => {
    stop();
    const started = performance.now();
    show(stateOfForm(runner, dataOf(form), visited.has));
    lastMs = performance.now() - started;
  };
  const updateSoon = () => {
    if (lastMs > FRAME_MS) {
      clearTimeout(pause);
      pause = setTimeout(update, PAUSE_MS);
    } else frame ??= requestAnimationFrame(update);
  };
  /** Shows a form with other rows, or another input. */
  const renew = (state: ToolPageState, notice = "") => {
    stop();
    const newer = elementOf(toolForm(state));
    if (newer) replaceContent(form, newer);
    show(state, notice);
  };
  const press = (command: string) => {
    const isClear = command === "clear";
    visited.follow(command);
    isLinked &&= !isClear;
    renew(stateOfForm(runner, isClear ? {} : editRows(dataOf(form), command), visited.has));
    focusAfter(form, command);
  };
  const open = (state: ToolPageState, isFromLink: boolean, notice = "") => {
    isLinked = isFromLink;
    visited.addAll();
    renew(state, notice);
    if (notice !== "") announce(notice);
  };

  form.addEventListener("input", updateSoon);
  visited.onLeave(update);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.name === COMMAND) {
      press(submitter.value);
      return;
    }
    visited.addAll();
    update();
  });
  pasteLists(form, (pasted) => {
    renew(stateOfForm(runner, withRows(dataOf(form), pasted), visited.has));
    focusAfter(form, `add ${pasted.list}`);
  });
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[data-preset]");
    if (!link) return;
    event.preventDefault();
    open(stateOfText(runner, new URL(link.href).searchParams.get("input") ?? ""), false);
    focusAfter(form, "");
  });
  const { reader } = runner.view;
  if (reader) {
    const openText = async (text: string, isPasted: boolean) => {
      const read = await (reader.read ?? readProduct)(text, isPasted);
      if (read) open(stateOfInput(runner, read.input), false, read.summary);
      else if (!isPasted)
        open(
          stateOfForm(runner, dataOf(form)),
          isLinked,
          "This file has nothing that this tool can read.",
        );
    };
    onFile((text) => openText(text, false));
    onPastedText(form, (text) => openText(text, true));
  }
  followInPageLinks();
  onSharedInput(form, (text, isOwn) => open(stateOfText(runner, text), !isOwn));
  // The server shows the problems of all fields.
  if (document.querySelector("[data-outcome=refused]")) visited.addAll();
  // The user may have typed while this script was loading.
  if (isEdited(form)) update();
}

/** Reads the tool's own product, such as a file that it wrote. */
export type ReadProduct = (text: string, isPasted: boolean) => Promise<ReadText | undefined>;

const dataOf = (form: HTMLFormElement): Readonly<Record<string, unknown>> =>
  formData(
    new URLSearchParams(
      [...new FormData(form)].filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  );

const isEdited = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll<HTMLInputElement>("input, textarea")].some(
    ({ type, value, defaultValue, checked, defaultChecked }) =>
      /^(?:checkbox|radio)$/.test(type)
        ? checked !== defaultChecked
        : type !== "file" && value !== defaultValue,
  );
