/** What a code tells a user, in one sentence or two each. */
export interface Explanation {
  readonly meaning: string;
  readonly why: string;
  readonly remedy: string;
}

/**
 * @param meaning what has been found.
 * @param why what follows from it.
 * @param remedy what to do.
 */
export const explained = (meaning: string, why: string, remedy: string): Explanation => ({
  meaning,
  why,
  remedy,
});
