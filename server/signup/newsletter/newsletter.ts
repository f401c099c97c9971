/** The state of a stored address in the newsletter. */
export interface SyncState {
  readonly synced: boolean;
  /** listmonk's number for the subscriber. */
  readonly listmonkId: number | undefined;
}

/** The end of a sync. */
export interface SyncResult {
  /** True when the newsletter has the address, or rightly does not have it. */
  readonly ok: boolean;
  readonly listmonkId?: number | undefined;
  /** Why it failed, in words that name no person. */
  readonly failure?: string;
  /** True when a repeat would fail too: the newsletter takes no such address. */
  readonly rejected?: boolean;
}

export interface Subscriber {
  readonly email: string;
  /** Undefined for an operator who has none: then nobody is created. */
  readonly name: string | undefined;
  /** Flat texts for the subscriber's attributes. */
  readonly attributes: Readonly<Record<string, string>>;
}
