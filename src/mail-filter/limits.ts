/**
 * Gmail stops taking filters reliably at about 1,470 characters (3b-mailbox measured 1,469,
 * others up to 1,488); this leaves room. Counted in UTF-16 units of the search string.
 */
export const MAX_SEARCH_LENGTH = 1400;

/** Gmail keeps at most this many filters in an account (API reference, filters.create). */
export const MAX_FILTERS = 1000;
