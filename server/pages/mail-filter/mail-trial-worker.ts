import { type TrialOrder, tryMails } from "./try-mails.ts";

/*
 * Tries filters in a worker. The page stops a trial by ending the worker, so each message has all that
 * was found so far. The script is one file: its policy lets it load and send nothing.
 */
addEventListener("message", ({ data }: MessageEvent<TrialOrder>) => {
  // The page hears of it as an error of the worker.
  run(data).catch(reportError);
});

async function run(order: TrialOrder): Promise<void> {
  for await (const progress of tryMails(order)) postMessage(progress);
}
