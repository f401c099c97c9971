/** The state of a stored address in the newsletter. */
export interface SyncState {
  readonly synced: boolean;
  /** The newsletter system's own number for the subscriber. */
  readonly listmonkId: number | undefined;
}

/** The end of a sync. */
export interface SyncResult {
  /** True when the newsletter has the address, or rightly does not have it. */
  readonly ok: boolean;
  readonly listmonkId: number | undefined;
  /** Why it failed, in words that name no person. */
  readonly failure?: string;
  /** True when a repeat would fail too: the newsletter takes no such address. */
  readonly rejected?: boolean;
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
