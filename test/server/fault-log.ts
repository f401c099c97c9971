/** A log that keeps the faults alone, and what it has kept. */
export function faultLog() {
  const faults: unknown[] = [];
  const log = {
    request: () => {},
    warning: () => {},
    fault: (_: string, error: unknown) => faults.push(error),
  };
  return { faults, log };
}
