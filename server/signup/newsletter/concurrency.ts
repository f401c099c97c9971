/** Gives a slot back; to do so twice does no harm. */
type Release = () => void;

/** A number of slots, taken in turn. */
export interface Slots {
  /** Waits for a free one, and leaves the line when the signal says so. */
  take(signal: AbortSignal): Promise<Release>;
}

export function slots(size: number): Slots {
  let free = size;
  const line = new Set<() => void>();

  const turn = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.delete(enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        line.delete(enter);
        resolve();
      };
      signal.addEventListener("abort", leave);
      line.add(enter);
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
        const [next] = line;
        if (next) next();
        else free += 1;
      };
    },
  };
}

/** Runs one task per key at a time; whoever asks meanwhile shares its result. */
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
