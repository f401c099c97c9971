/** What tells people from programs. */
export interface Challenge {
  /**
   * A token that proves it, good for one try.
   *
   * @throws when there is none to be had.
   */
  token(): Promise<string>;
  /** Makes ready for another try: a token that was sent is of no more use. */
  renew(): void;
}
