import { setSystemTime, spyOn } from "bun:test";

/** Sets the machine's clock, as `Date` reads it. */
export function setClock(time: number) {
  setSystemTime(time);
  return { [Symbol.dispose]: () => void setSystemTime() };
}

/** Puts the deadlines of `AbortSignal.timeout` on a clock that goes only when a test moves it. */
export function stopClock() {
  let now = 0;
  const deadlines = new Map<AbortController, number>();
  const spy = spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    deadlines.set(controller, now + ms);
    return controller.signal;
  });
  return {
    /** Lets time pass, and with it the deadlines up to then. */
    pass(ms: number): void {
      now += ms;
      for (const [controller, at] of deadlines) {
        if (at > now) continue;
        deadlines.delete(controller);
        controller.abort(new DOMException("The operation timed out.", "TimeoutError"));
      }
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

/** Puts `performance.now()` ahead, so that what is kept for a while is old at once. */
export function openTimeMachine() {
  let ahead = 0;
  const now = performance.now.bind(performance);
  const spy = spyOn(performance, "now").mockImplementation(() => now() + ahead);
  return {
    skip(ms: number): void {
      ahead += ms;
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

/** Waits a moment and fails if the work has ended by then, which waits for something else. */
export async function expectPending(work: Promise<unknown>): Promise<void> {
  const pending = Symbol("pending");
  const outcome = await Promise.race([work, Bun.sleep(30).then(() => pending)]);
  if (outcome !== pending) throw new Error("It has ended already");
}

/** Calls a handler, and tells when it was called for the first time. */
export function watched<Request, Answer>(handle: (request: Request) => Answer) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  return {
    reached,
    handler: (request: Request): Answer => {
      resolve();
      return handle(request);
    },
  };
}
