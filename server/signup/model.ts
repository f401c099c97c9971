import type { Counter } from "./counts.ts";

/** The stored part of a signup: never the name, the meta, a network address or a token. */
export interface SignupRecord {
  /** Trimmed and lower-cased. */
  readonly email: string;
  readonly ctaSource: string;
  readonly referral: string | undefined;
  readonly referralOther: string | undefined;
}

/** The nonce of an embedded challenge, which may be used once. */
export interface SingleUse {
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** The state of a stored address in the newsletter. */
export interface SyncState {
  readonly synced: boolean;
  /** The newsletter system's own number for the subscriber. */
  readonly listmonkId: number | undefined;
}

/** A stored row, as an operator may see it. */
export interface StoredSignup extends SignupRecord, SyncState {
  readonly createdAt: Date;
  readonly syncedAt: Date | undefined;
  /** When and why the last sync failed, for an address that the newsletter does not have. */
  readonly failedAt: Date | undefined;
  readonly failure: string | undefined;
}

/** The right to sync an address, for a time. */
export interface Lease {
  readonly state: SyncState;
  readonly until: Date;
}

/** The end of a sync. */
export interface SyncResult {
  /** The newsletter has the address, or rightly does not have it. */
  readonly ok: boolean;
  readonly listmonkId: number | undefined;
  /** Nothing was done. */
  readonly skipped?: boolean;
  /** Why it failed, in words that name no person. */
  readonly failure?: string;
}

interface ListQuery {
  readonly after: string;
  readonly limit: number;
  /** True for only the rows that the newsletter does not have. */
  readonly waiting: boolean;
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
    use: SingleUse | undefined,
    now: Date,
  ): Promise<SyncState | "replayed">;
  /** True when a nonce was used before. It changes nothing. */
  isUsed(nonce: string): Promise<boolean>;
  /**
   * Takes the right to sync an address, for some milliseconds.
   *
   * @returns "taken" while another has it, undefined for an address that is not stored.
   */
  lease(email: string, ms: number, now: Date): Promise<Lease | "taken" | undefined>;
  /**
   * Notes how a sync ended, and gives its lease back. Without a number, a known one stays; a failure
   * leaves a synced address synced.
   */
  endSync(email: string, lease: Lease, result: SyncResult, now: Date): Promise<void>;
  count(): Promise<number>;
  /** The number of rows that the newsletter lacks, counted up to 10,000. */
  countWaiting(): Promise<number>;
  find(email: string): Promise<StoredSignup | undefined>;
  /** Rows in the order of their addresses, from the first one after an address. */
  list(query: ListQuery): Promise<readonly StoredSignup[]>;
  /** Adds whole rows, of addresses that are not stored. @returns how many. */
  add(rows: readonly StoredSignup[]): Promise<number>;
  /** @returns true if there was a row. */
  remove(email: string): Promise<boolean>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  /** Throws when the database cannot keep what it is given, such as on a full disk. */
  tryWrite(): Promise<void>;
  close(): Promise<void>;
  /** Calls back once, within a second, when its files were removed; only a database of files has it. */
  watch?(onLost: (problem: string) => void): void;
  /** Counts for all servers of the site; only a database that they share has it. */
  readonly counter?: Counter;
  /** Problems of the database that the operator should know. */
  readonly warnings: readonly string[];
}

/** Tells people from bots. */
export interface Challenge {
  /**
   * @returns undefined for a token that is stale, replayed, or issued elsewhere; else the nonce to
   * consume with the row, if the challenge has one.
   * @throws when the check itself fails; the signup is then rejected.
   */
  verify(token: string): Promise<{ readonly use: SingleUse | undefined } | undefined>;
  readonly issue?: () => Promise<object>;
  /** The public key of the widget, when a third party (Turnstile) issues the challenges. */
  readonly siteKey?: string;
}

export interface Subscriber {
  readonly email: string;
  readonly name: string;
  /** Flat texts for the subscriber's attributes. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Newsletter {
  /**
   * Subscribes an address; an unsubscribed person stays unsubscribed. It never throws.
   *
   * @param state what is stored of an earlier sync.
   */
  sync(subscriber: Subscriber, state: SyncState): Promise<SyncResult>;
  /** Finds errors of the set-up, in words for the operator; it never throws. */
  readonly check?: () => Promise<readonly string[]>;
  /** Waits for the syncs that are under way; each has a deadline. */
  readonly finish?: () => Promise<void>;
  /** Ends its work in the background. */
  readonly close?: () => void;
}

/** No newsletter is configured: every sync is skipped. */
export const newsletterOff: Newsletter = {
  sync: async () => ({ ok: true, listmonkId: undefined, skipped: true }),
};

/** The action that a token must have been minted for. */
export const CHALLENGE_ACTION = "beta_signup";

export const now = (): Date => new Date();

/** How long a token can be redeemed after it was minted. */
export const TOKEN_LIFETIME_MS = 300_000;

/** The largest difference expected between the clocks of the machines of one site. */
export const CLOCK_SKEW_MS = 30_000;

/** True when a token minted at a time, in milliseconds, can still be redeemed; one from the future never can. */
export function isFresh(mintedAt: number, now: Date): boolean {
  const age = now.getTime() - mintedAt;
  return age >= -CLOCK_SKEW_MS && age <= TOKEN_LIFETIME_MS;
}

/**
 * A text that the databases can store, listmonk's as well: U+FFFD replaces U+0000, which PostgreSQL
 * lacks, and lone surrogates, which none has.
 */
export const storableText = (text: string): string =>
  text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Marks that turn the direction of writing. The joiners, which Persian names have, are none. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A dot of any kind that browsers take for one in a host, within a word of at least two letters. */
const DOT_IN_WORD = /(?<=\S)([.\u3002\uff0e\uff61])(?=[\p{L}\p{M}\p{N}-]{2})/gu;

/** A name as mails may show it: mail programs make a link of `a.bc`, and none of `a. bc`. */
export const nameForMail = (name: string): string =>
  storableText(name).replace(BIDI, "").trim().replace(DOT_IN_WORD, "$1 ");
