import type { ChallengeNonce } from "../challenge/challenge.ts";
import type { SyncResult } from "../newsletter/listmonk-api.ts";

/** The stored part of a signup: never the name, the meta, an IP address or a token. */
export interface SignupRecord {
  /** Trimmed and lower-cased. */
  readonly email: string;
  readonly ctaSource: string;
  readonly referral: string | undefined;
  readonly referralOther: string | undefined;
}

/** A row as operators see it. */
export interface StoredSignup extends SignupRecord {
  readonly createdAt: Date;
  readonly synced: boolean;
  readonly syncedAt: Date | undefined;
  /** When and why the last sync failed, for an address that is not synced. */
  readonly failedAt: Date | undefined;
  readonly failure: string | undefined;
  /** Whether the newsletter will never accept the address. */
  readonly rejected: boolean;
}

/** The right to sync an address, until a time. */
export interface Lease {
  /** Whether an earlier sync succeeded. */
  readonly synced: boolean;
  readonly until: Date;
}

/**
 * The store of addresses. A failure throws and changes nothing, unless PostgreSQL's response to a
 * commit was lost.
 */
export interface SignupStore {
  /**
   * Records an address once: a repeat leaves the first row unchanged. The same transaction consumes
   * the nonce.
   *
   * @returns false for a used nonce; then nothing is recorded.
   */
  record(signup: SignupRecord, nonce: ChallengeNonce | undefined, now: Date): Promise<boolean>;
  /** Whether a nonce was used. */
  isUsed(nonce: string): Promise<boolean>;
  /**
   * Takes the lease on an address, for some milliseconds.
   *
   * @returns undefined while another process has it, and for an unknown address.
   */
  lease(email: string, ms: number, now: Date): Promise<Lease | undefined>;
  /**
   * Stores the outcome of a sync and returns its lease; it changes nothing if the lease has passed to
   * another process. A failure leaves an address synced.
   */
  endSync(email: string, lease: Lease, result: SyncResult, now: Date): Promise<void>;
  count(): Promise<number>;
  /** Counts the rows to sync. */
  countWaiting(): Promise<number>;
  find(email: string): Promise<StoredSignup | undefined>;
  /** Lists rows by address, starting after an address. */
  list(after: string, limit: number): Promise<readonly StoredSignup[]>;
  /** Adds the rows whose address is new. @returns how many. */
  add(rows: readonly StoredSignup[]): Promise<number>;
  /** @returns whether there was a row. */
  remove(email: string): Promise<boolean>;
  /** Throws if the database cannot store a signup, for example on a full disk. */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
  /** SQLite only: calls back once, within a second, if the files were removed or replaced. */
  watch?(onLost: (problem: string) => void): void;
  /** PostgreSQL only: counts for all servers of the site. */
  readonly counter?: RateCounter;
  /** For the operator. */
  readonly warnings: readonly string[];
}

/**
 * Makes a string that every database can store, listmonk's too: PostgreSQL rejects U+0000, and all
 * of them reject lone surrogates.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/**
 * Adds one to the count of each key, and returns the counts. A count restarts `ms` after its first
 * use. It rejects if it cannot count.
 */
export type RateCounter = (keys: readonly string[], ms: number) => Promise<readonly number[]>;

/** How long a request waits for its count. */
export const COUNT_TIMEOUT_MS = 1_000;
