/** The kind of a signup: of an address that is new to the newsletter, or known there. */
export type SignupKind = "new" | "known";

export interface EvenTimes {
  /** Records the duration of a signup, without its added wait. */
  note(kind: SignupKind, ms: number): void;
  /** The least milliseconds that a signup must take. */
  least(kind: SignupKind | "honeypot"): number;
}

/** The number of remembered signups of a kind. */
const KEPT = 20;
const REMEMBERED_MS = 3_600_000;

/** No signup waits longer than this to be like another, in milliseconds. */
const LONGEST_WAIT_MS = 2_000;

/**
 * A newsletter does other work for an address that it has, so the time of a signup would tell who is
 * on the list. Each signup therefore takes at least as long as a random recent one of the other
 * kind: the longer of two such times is distributed alike for both kinds. A filled honeypot, which
 * does no work, takes as long as the longer of one of each.
 *
 * @param random from 0 to 1.
 */
export function evenTimes(now: () => Date, random: () => number): EvenTimes {
  const recent = new Map<SignupKind, readonly { readonly ms: number; readonly at: number }[]>();
  const draw = (kind: SignupKind): number => {
    const oldest = now().getTime() - REMEMBERED_MS;
    const fresh = (recent.get(kind) ?? []).filter(({ at }) => at > oldest);
    return Math.min(fresh[Math.floor(random() * fresh.length)]?.ms ?? 0, LONGEST_WAIT_MS);
  };
  return {
    note(kind, ms) {
      const all = [...(recent.get(kind) ?? []), { ms, at: now().getTime() }];
      recent.set(kind, all.slice(-KEPT));
    },
    least(kind) {
      if (kind === "honeypot") return Math.max(draw("new"), draw("known"));
      return draw(kind === "new" ? "known" : "new");
    },
  };
}
