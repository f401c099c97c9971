/** The answer for a filter and a mail; unknown where no source says how Gmail decides. */
export type Verdict = "yes" | "no" | "unknown";
