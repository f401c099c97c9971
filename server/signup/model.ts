/** What is kept of a signup: never the name, the meta, a network address or a token. */
export interface SignupRecord {
  /** Trimmed and lower-cased. */
  readonly email: string;
  readonly ctaSource: string;
  readonly referral: string | undefined;
  readonly referralOther: string | undefined;
}

/** What may be used once: the nonce of an embedded challenge. */
export interface SingleUse {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** How far the newsletter knows an address that is stored. */
export interface SyncState {
  readonly synced: boolean;
  /** The newsletter system's own number for the subscriber. */
  readonly listmonkId: number | undefined;
}

/** A stored row, as an operator may see it. */
export interface StoredSignup extends SignupRecord, SyncState {
  readonly createdAt: Date;
  readonly syncedAt: Date | undefined;
}

/**
 * Where addresses are kept. What fails throws, and then nothing is changed, but for a commit whose
 * answer PostgreSQL could not give any more.
 */
export interface SignupStore {
  /**
   * Records an address once: a repeat leaves the first row as it is. A nonce is burnt in the same
   * transaction.
   *
   * @returns the row's state, or "replayed" when the nonce was used before; then nothing is recorded.
   */
  record(
    signup: SignupRecord,
    use: SingleUse | undefined,
    now: Date,
  ): Promise<SyncState | "replayed">;
  /** Remembers that the newsletter has the address; without a number, one that is known stays. */
  markSynced(email: string, listmonkId: number | undefined, now: Date): Promise<void>;
  count(): Promise<number>;
  find(email: string): Promise<StoredSignup | undefined>;
  /** @returns whether there was a row. */
  remove(email: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Tells people from programs. */
export interface Challenge {
  /**
   * @returns undefined for a token that is stale, replayed, or issued elsewhere; else what must be
   * burnt with the row, if anything.
   * @throws when the check itself fails: nobody can say, so nobody is let in.
   */
  verify(token: string): Promise<{ readonly use: SingleUse | undefined } | undefined>;
  /** A new challenge to solve, where we make them ourselves. */
  readonly issue?: () => Promise<object>;
  /** The public key of the widget, where a third party (Turnstile) makes them. */
  readonly siteKey?: string;
}

export interface Subscriber {
  readonly email: string;
  readonly name: string;
  /** Flat texts for the subscriber's attributes. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** The newsletter system. */
export interface Newsletter {
  /**
   * Subscribes an address, and leaves alone who has unsubscribed. It never throws.
   *
   * @param state what is stored of an earlier sync.
   * @returns whether the newsletter has the address or rightly has it not, and its number there;
   * skipped when there is no newsletter that could have it.
   */
  sync(
    subscriber: Subscriber,
    state: SyncState,
  ): Promise<{
    readonly ok: boolean;
    readonly listmonkId: number | undefined;
    readonly skipped?: boolean;
  }>;
  /** Tells the operator of a wrong set-up; it never stops the start. */
  readonly check?: () => Promise<readonly string[]>;
}

/** What a token must have been minted for. */
export const CHALLENGE_ACTION = "beta_signup";

/** How long a token can be redeemed after it was minted. */
export const TOKEN_LIFETIME_MS = 300_000;

/** By how much the clocks of machines that work together may differ. */
export const CLOCK_SKEW_MS = 30_000;

/** Whether what was minted at a time, in milliseconds, can still be redeemed; one from the future never can. */
export function isFresh(mintedAt: number, now: Date): boolean {
  const age = now.getTime() - mintedAt;
  return age >= -CLOCK_SKEW_MS && age <= TOKEN_LIFETIME_MS;
}
