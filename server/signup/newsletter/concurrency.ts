/** Gives a permit back; a second call does nothing. */
type Release = () => void;

export interface Semaphore {
  /** Waits for a permit; rejects when the signal aborts first. */
  take(signal: AbortSignal): Promise<Release>;
}

/** A fixed number of permits, given out in the order of asking. */
export function semaphore(size: number): Semaphore {
  let free = size;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        waiting.delete(enter);
        resolve();
      };
      signal.addEventListener("abort", leave);
      waiting.add(enter);
    });

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) free -= 1;
      else await turn(signal);
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        const [next] = waiting;
        if (next) next();
        else free += 1;
      };
    },
  };
}

/** Runs one task per key at a time; callers that come meanwhile share its result. */
export function singleFlight<Value>(): (key: string, run: () => Promise<Value>) => Promise<Value> {
  const flights = new Map<string, Promise<Value>>();
  return (key, run) => {
    const joined = flights.get(key);
    if (joined) return joined;
    const flight = run().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
