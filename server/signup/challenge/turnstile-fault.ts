/** Turnstile could not say whether a token is good. Its code is for the operator's log. */
export class TurnstileFault extends Error {
  override readonly name = "TurnstileFault";
  readonly code: string;

  /** @param code one of Turnstile's own codes, or a word of ours; nothing else that was received. */
  constructor(code: string) {
    super(`Turnstile could not verify the token: ${code}`);
    this.code = code;
  }
}
