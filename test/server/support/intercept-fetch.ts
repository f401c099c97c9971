/**
 * Lets a test see, delay or answer the calls of fetch to one server.
 *
 * @param handle gets the call, which goes on with `go()`.
 */
export function interceptFetch(
  url: string,
  handle: (go: () => Promise<Response>, init: RequestInit, url: string) => Promise<Response>,
) {
  const real = globalThis.fetch;
  const intercepted = (input: Parameters<typeof fetch>[0], init: RequestInit = {}) =>
    typeof input === "string" && input.startsWith(url)
      ? handle(() => real(input, init), init, input)
      : real(input, init);
  globalThis.fetch = Object.assign(intercepted, { preconnect: real.preconnect });
  return {
    [Symbol.dispose]: () => {
      globalThis.fetch = real;
    },
  };
}
