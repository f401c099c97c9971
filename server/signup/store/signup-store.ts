import type { ChallengeNonce } from "../challenge/challenge.ts";
import type { SyncResult, SyncState } from "../newsletter/listmonk-api.ts";

/** The stored part of a signup: never the name, the meta, a network address or a token. */
export interface SignupRecord {
  /** Trimmed and lower-cased. */
  readonly email: string;
  readonly ctaSource: string;
  readonly referral: string | undefined;
  readonly referralOther: string | undefined;
}

/** A stored row, as an operator may see it. */
export interface StoredSignup extends SignupRecord, SyncState {
  readonly createdAt: Date;
  readonly syncedAt: Date | undefined;
  /** When and why the last sync failed, for an address that the newsletter does not have. */
  readonly failedAt: Date | undefined;
  readonly failure: string | undefined;
  /** True when the newsletter will never take the address. */
  readonly rejected: boolean;
}

/** The right to sync an address, for a time. */
export interface Lease {
  readonly state: SyncState;
  readonly until: Date;
}

/**
 * The store of addresses. A failure throws and changes nothing, with one exception: a commit
 * whose answer from PostgreSQL was lost.
 */
export interface SignupStore {
  /**
   * Records an address once: a repeat leaves the first row as it is. The nonce is consumed in the
   * same transaction.
   *
   * @returns the row's state, or "replayed" when the nonce was used before; then nothing is recorded.
   */
  record(
    signup: SignupRecord,
    nonce: ChallengeNonce | undefined,
    now: Date,
  ): Promise<SyncState | "replayed">;
  /** True when a nonce was used before. It changes nothing. */
  isUsed(nonce: string): Promise<boolean>;
  /**
   * Takes the right to sync an address, for some milliseconds.
   *
   * @returns undefined while another has it, and for an address that is not stored.
   */
  lease(email: string, ms: number, now: Date): Promise<Lease | undefined>;
  /**
   * Notes how a sync ended, and gives its lease back; it changes nothing when another has the lease
   * by now. Without a number, a known one stays; a failure leaves a synced address synced.
   */
  endSync(email: string, lease: Lease, result: SyncResult, now: Date): Promise<void>;
  /** The number of rows, or of those that wait for the newsletter. */
  count(onlyWaiting?: boolean): Promise<number>;
  find(email: string): Promise<StoredSignup | undefined>;
  /** Rows in the order of their addresses, from the first one after an address. */
  list(after: string, limit: number): Promise<readonly StoredSignup[]>;
  /** Adds whole rows, of addresses that are not stored. @returns how many. */
  add(rows: readonly StoredSignup[]): Promise<number>;
  /** @returns true if there was a row. */
  remove(email: string): Promise<boolean>;
  /** Throws when the database cannot keep what it is given, such as on a full disk. */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
  /** Calls back once, within a second, when its files were removed; only a database of files has it. */
  watch?(onLost: (problem: string) => void): void;
  /** Counts for all servers of the site; only a database that they share has it. */
  readonly counter?: RateCounter;
  /** Problems of the database that the operator should know. */
  readonly warnings: readonly string[];
}

/**
 * A text that the databases can store, listmonk's as well: U+FFFD replaces U+0000, which PostgreSQL
 * lacks, and lone surrogates, which none has.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/**
 * Adds one to the count of each key, and gives the counts. A count lasts for `ms` from its first one
 * on; then it begins again. It rejects if it cannot count.
 */
export type RateCounter = (keys: readonly string[], ms: number) => Promise<readonly number[]>;

/** The longest wait of a request for its count, in milliseconds. */
export const COUNT_TIMEOUT_MS = 1_000;
