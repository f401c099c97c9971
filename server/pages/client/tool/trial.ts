import { html } from "../../html.ts";
import { type ToolPageState, type ToolRunner, validInput } from "../../tool/state.ts";
import type { TrialOrder, TrialProgress, TrialState } from "../../view.ts";
import { announce } from "../feedback.ts";
import { setPart } from "../replace-content.ts";

/** The page around a trial. */
interface TrialHost {
  /** Shows the result again, with the report. */
  show(): void;
  reject(reason: string): void;
}

/** Tries the form's input on files in a worker, which is loaded for it. */
export function trials(
  { view: { trial } }: ToolRunner,
  shown: () => ToolPageState,
  host: TrialHost,
) {
  let state: TrialState | undefined;
  let files: readonly File[] = [];
  let worker: Worker | undefined;

  const draw = () => {
    if (trial) setPart("trial", state ? trial.panel(state, validInput(shown())) : html``);
  };
  const show = (next: TrialState | undefined) => {
    worker?.terminate();
    worker = undefined;
    state = next;
    host.show();
    announce(document.getElementById("trial-title")?.textContent ?? "");
  };
  const end = (phase: TrialState["phase"]) => {
    if (state) show({ ...state, phase });
  };
  const start = (chosen: readonly File[]) => {
    const input = validInput(shown());
    if (!trial || input === undefined) {
      host.reject(trial?.unready ?? "");
      return;
    }
    files = chosen;
    show({ input, phase: "reading" });
    document.getElementById("trial")?.scrollIntoView({ block: "nearest" });
    const started = new Worker(workerAddress());
    worker = started;
    started.addEventListener("error", () => worker === started && end("failed"));
    started.addEventListener("message", ({ data }: MessageEvent<TrialProgress>) => {
      if (worker !== started) return;
      state = { input, phase: "reading", progress: data };
      if (data.isDone) end("done");
      else draw();
    });
    started.postMessage({ input, files } satisfies TrialOrder);
  };
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>("[data-trial]");
    if (!button) return;
    if (button.dataset.trial === "stop") end("stopped");
    else if (button.dataset.trial === "again") start(files);
    else {
      files = [];
      show(undefined);
      announce("Your mail is forgotten");
      document.querySelector<HTMLElement>("[data-try]")?.focus();
    }
  });
  return {
    draw,
    start,
    state: () => state,
    isFor: async (file: File) =>
      trial?.isFor(
        file.name,
        await file
          .slice(0, START_BYTES)
          .text()
          .catch(() => ""),
      ) ?? false,
  };
}

/** Enough for the first line of a mail. */
const START_BYTES = 100;

/** The address of the worker's script, from the page: it changes with each version. */
const workerAddress = (): string =>
  document.querySelector<HTMLElement>("[data-worker]")?.dataset.worker ?? "";
