/**
 * The answer for a filter and a mail; unknown where no source says how Gmail decides. A file of its own,
 * because matchers and the mail that they ask both give it.
 */
export type Verdict = "yes" | "no" | "unknown";
