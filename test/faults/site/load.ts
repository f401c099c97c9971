import type { Answer } from "./answer.ts";

const CLIENTS = 8;

/** Between an answer and the client's next signup. */
const PAUSE_MS = 20;

/** Signs new addresses up, eight at a time, until it is stopped or disposed of. */
export function startLoad(signUp: () => Promise<Answer>) {
  const answers: Answer[] = [];
  let isOn = true;
  const client = async () => {
    while (isOn) {
      answers.push(await signUp());
      await Bun.sleep(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  /** Resolves when the last one is answered. */
  const stop = async () => {
    isOn = false;
    await clients;
  };
  return {
    /** In the order in which they came. */
    answers,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
