/** Whether Gmail takes a mail; unknown where no source tells. */
export type Verdict = "yes" | "no" | "unknown";
