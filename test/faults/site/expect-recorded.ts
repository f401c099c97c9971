import { type Answer, FAILED } from "./answer.ts";

/**
 * Every address whose signup was acknowledged is there, and none whose signup failed.
 *
 * @param rows what is stored, each with its email.
 * @param doubtful how many may be there whose signup failed: a commit that is under way when the
 * connection breaks may be done, and nobody can say so.
 */
export function expectRecorded(
  answers: readonly Answer[],
  rows: readonly unknown[],
  doubtful = 0,
): string {
  const stored = new Set(rows.map((row) => Object(row).email));
  const acknowledged = answers.filter(({ outcome }) => outcome.startsWith("200 "));
  const lost = acknowledged.filter(({ email }) => !stored.has(email));
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged signups are not stored`);
  const failed = answers.filter(({ outcome }) => outcome === FAILED);
  const kept = failed.filter(({ email }) => stored.has(email));
  if (kept.length > doubtful) throw new Error(`${kept.length} failed signups are stored`);
  const doubts = doubtful > 0 ? `, ${kept.length} of them stored all the same` : "";
  return `${acknowledged.length} signed up and stored, ${failed.length} refused${doubts}`;
}
