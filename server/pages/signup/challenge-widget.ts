/** A test that tells people from bots. */
export interface ChallengeWidget {
  /**
   * A token that proves it, valid once.
   *
   * @throws when the challenge cannot be solved. The cause may be the response that refuses one.
   */
  token(): Promise<string>;
  /** Prepares another attempt: a token that was sent is used up. */
  renew(): void;
}
