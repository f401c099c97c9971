import { FAILED } from "./answer.ts";
import { endWell } from "./end-well.ts";
import { expectRecorded } from "./expect-recorded.ts";
import { type Outage, throughOutage } from "./outage.ts";
import { openSite } from "./site.ts";
import { tokenKept } from "./token-kept.ts";

interface Database {
  readonly url: string;
  readonly rows: () => Promise<readonly unknown[]>;
  /** Commits that may be under way when it breaks; see expectRecorded(). None when left out. */
  readonly commits?: number;
}

export interface DatabaseOutage extends Omit<Outage, "answer" | "signUp"> {
  /** What the operator reads of it. */
  readonly fault: RegExp;
}

/**
 * A site whose database breaks and is mended: signups fail meanwhile, nothing of them is recorded,
 * and the token of a visitor who comes again is still good.
 *
 * @returns what was measured, for people.
 */
export async function throughDatabaseOutage(
  { url, rows, commits }: Database,
  { begin, fault, ...outage }: DatabaseOutage,
): Promise<string> {
  await using site = await openSite({ DATABASE_URL: url });
  const token = await tokenKept(site);
  const beginWithToken = async () => {
    await begin(site);
    await token.fails();
  };
  const figures = await throughOutage(site, { ...outage, begin: beginWithToken, answer: FAILED });
  await token.isStillGood();
  const recorded = expectRecorded(site.answers, await rows(), commits);
  await endWell(site, fault);
  return `${figures}; ${recorded}`;
}
