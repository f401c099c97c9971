import { announce } from "../announce.ts";
import type { TrialOrder, TrialProgress } from "./try-mails.ts";

/** A trial of filters on the user's mail. */
export interface Trial {
  /** The input that is tried. */
  readonly input: object;
  readonly phase: "reading" | "stopped" | "failed" | "done";
  /** The latest; undefined until the worker runs. */
  readonly progress?: TrialProgress;
}

/** What a page does with a trial. */
export interface Trials {
  readonly trial: Trial | undefined;
  start(input: object, files?: readonly File[]): void;
  stop(): void;
  /** Forgets the mail. */
  close(): void;
}

/** The names of mailboxes and mails, and of archives, which the trial says to unpack. */
const MAIL_FILE_NAME = /(?:\.(?:mbox|mbx|eml|gz|tgz|zip)|^mbox)$/i;

const MAIL_START =
  /^(?:From \S|(?:x-[\w-]+|received|return-path|delivered-to|from|to|date|subject|message-id|mime-version)[ \t]*:)/i;

/** Enough for the first line of a mail. */
const START_BYTES = 100;

/** Recognises a file with mail by its name, or by how it begins. */
export async function isMail(file: File): Promise<boolean> {
  if (MAIL_FILE_NAME.test(file.name)) return true;
  const start = await file
    .slice(0, START_BYTES)
    .text()
    .catch(() => "");
  return MAIL_START.test(start);
}

export const TRIAL_TITLES = {
  reading: "Reading your mail",
  stopped: "Stopped: what your filters do with the mail read so far",
  failed: "The mail could not be read to its end",
  done: "What your filters do with your mail",
} as const satisfies Record<Trial["phase"], string>;

/**
 * Tries filters in a worker, which is loaded for it. The files never leave the browser.
 *
 * @param show is called whenever more is known.
 */
export function mailTrials(worker: string, show: () => void): Trials {
  let trial: Trial | undefined;
  let files: readonly File[] = [];
  let running: Worker | undefined;
  const set = (next: Trial | undefined) => {
    if (next?.phase !== "reading") {
      running?.terminate();
      running = undefined;
    }
    trial = next;
    show();
  };
  const end = (phase: Trial["phase"]) => {
    if (!trial) return;
    set({ ...trial, phase });
    announce(TRIAL_TITLES[phase]);
  };
  return {
    get trial() {
      return trial;
    },
    start(input, chosen = files) {
      files = chosen;
      running?.terminate();
      const started = new Worker(worker);
      running = started;
      set({ input, phase: "reading" });
      announce(TRIAL_TITLES.reading);
      document.getElementById("trial-title")?.scrollIntoView({ block: "nearest" });
      started.addEventListener("error", () => running === started && end("failed"));
      started.addEventListener("message", ({ data }: MessageEvent<TrialProgress>) => {
        if (running !== started) return;
        set({ input, phase: "reading", progress: data });
        if (data.isDone) end("done");
      });
      started.postMessage({ input, files } satisfies TrialOrder);
    },
    stop: () => end("stopped"),
    close() {
      files = [];
      set(undefined);
      announce("Your mail is forgotten");
      document.querySelector<HTMLElement>(".try input")?.focus();
    },
  };
}
