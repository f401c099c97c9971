import { Refusal } from "../http/error.ts";

const MINUTE_MS = 60_000;

/** Beyond this many addresses the oldest are forgotten, so that a flood costs no memory. */
const MAX_ADDRESSES = 10_000;

/**
 * At most so many signups a minute from one network address.
 *
 * @param addressOf who sends a request; undefined is let through.
 */
export function rateLimit(
  perMinute: number,
  addressOf: (request: Request) => string | undefined,
  now: () => Date,
): (request: Request) => void {
  const windows = new Map<string, { readonly start: number; count: number }>();
  return (request) => {
    const address = addressOf(request);
    if (address === undefined) return;
    const time = now().getTime();
    const window = windows.get(address);
    const left = window === undefined ? 0 : window.start + MINUTE_MS - time;
    // More than a minute is left when the clock was set back.
    if (!window || left <= 0 || left > MINUTE_MS) {
      windows.delete(address);
      if (windows.size >= MAX_ADDRESSES) windows.delete([...windows.keys()][0] ?? "");
      windows.set(address, { start: time, count: 1 });
      return;
    }
    window.count += 1;
    if (window.count <= perMinute) return;
    throw new Refusal("rate_limited", "", { "Retry-After": String(Math.ceil(left / 1_000)) });
  };
}
