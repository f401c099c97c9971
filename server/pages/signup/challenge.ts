/** A test that tells people from bots. */
export interface Challenge {
  /**
   * A token that proves it, valid once.
   *
   * @throws when the challenge cannot be solved.
   */
  token(): Promise<string>;
  /** Prepares another attempt: a token that was sent is used up. */
  renew(): void;
}

/**
 * Adds a script or a style to the page.
 *
 * @throws when it cannot be loaded.
 */
export async function load(element: HTMLElement): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<Event>();
  element.addEventListener("load", resolve);
  element.addEventListener("error", (event) => {
    element.remove();
    reject(event);
  });
  document.head.append(element);
  await promise;
}
