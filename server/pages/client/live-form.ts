import { editRows, formData } from "../form/form-data.ts";
import {
  COMMAND,
  grow,
  stateOfForm,
  stateOfInput,
  stateOfText,
  type ToolPageState,
  type ToolRunner,
} from "../tool/state.ts";
import { toolForm } from "../tool/tool-view.ts";
import type { ReadText } from "../view.ts";
import { announce } from "./feedback.ts";
import { onFile, onPastedText, pasteLists, withRows } from "./open-text.ts";
import { elementOf, focusAfter, followInPageLinks, replaceContent } from "./page-parts.ts";
import { onSharedInput, showInAddress } from "./share.ts";
import { showMessages, showOutcome } from "./show.ts";
import { visitedFields } from "./visited.ts";

/** A result that takes longer is not shown in one frame with the key that was typed, but after it. */
const FRAME_MS = 12;

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
  let isLinked = false;
  let growth = 1;
  let shown: ToolPageState | undefined;
  let lastMs = 0;
  let later: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;

  const showGrown = (state: ToolPageState, notice = "") => {
    showOutcome(grow(state, growth), baseUrl, notice);
    const slider = document.querySelector<HTMLInputElement>("[data-grow]");
    if (slider) slider.valueAsNumber = growth;
  };
  const show = (state: ToolPageState, notice = "") => {
    if (state.outcome.kind === "blank") growth = 1;
    shown = { ...state, isLinked };
    showMessages(form, state);
    showGrown(shown, notice);
    if (state.outcome.kind === "done" || state.outcome.kind === "blank") showInAddress(form);
  };
  const stop = () => {
    clearTimeout(later);
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
    frame ??= requestAnimationFrame(() => {
      if (lastMs > FRAME_MS) later = setTimeout(update);
      else update();
    });
  };
  /** Shows a form with other rows, or another input. */
  const renew = (state: ToolPageState, notice = "") => {
    stop();
    const newer = elementOf(toolForm(state));
    if (newer) replaceContent(form, newer);
    show(state, notice);
  };
  /** The input that was read, with the user's texts in place of guessed ones. */
  const withTyped = ({ input, guessed = [] }: ReadText): object => {
    const data = dataOf(form);
    const typed = guessed.filter((name) => visited.has(name) && data[name] !== "");
    return { ...input, ...Object.fromEntries(typed.map((name) => [name, data[name]])) };
  };
  const press = (command: string) => {
    const [verb, name = ""] = command.split(" ", 2);
    if (verb === "split") {
      const text = dataOf(form)[name];
      if (typeof text === "string") void openText(text, name);
      return;
    }
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
    if (notice === "") return;
    announce(notice);
    // The outcome, which has it too, is far away on a phone.
    const beside = form.querySelector("[data-notice]");
    if (beside) beside.textContent = notice;
  };

  form.addEventListener("input", updateSoon);
  // Not at once: the result may be replaced only when the focus has come to it.
  visited.onLeave(updateSoon);
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
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches("[data-grow]")) return;
    growth = target.valueAsNumber;
    shown ??= stateOfForm(runner, dataOf(form), visited.has);
    showGrown({ ...shown, isLinked });
  });
  const { reader } = runner.view;
  const openText = async (text: string, field?: string) => {
    const read = await reader?.read(text, field);
    if (read && "input" in read) open(stateOfInput(runner, withTyped(read)), false, read.summary);
    else if (field === undefined)
      open(
        stateOfForm(runner, dataOf(form)),
        isLinked,
        read?.reason ?? "This file has nothing that this tool can read.",
      );
  };
  if (reader) {
    onFile((text) => openText(text));
    onPastedText(form, openText);
  }
  followInPageLinks((item) => press(`open ${item}`));
  onSharedInput(form, (text, isOwn) => open(stateOfText(runner, text), !isOwn));
  // The server shows the problems of all fields.
  if (document.querySelector("[data-outcome=rejected]")) visited.addAll();
  // A list that is full for the server may have more rows here.
  if (form.querySelector("button.add:disabled"))
    renew(stateOfForm(runner, dataOf(form), visited.has));
  // The user may have typed while this script was loading.
  if (isEdited(form)) update();
  // Preloads the parsers, so that the page works offline.
  await reader?.read("");
}

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
