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
