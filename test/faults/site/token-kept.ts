import { expectSame } from "../../clients/check.ts";
import { FAILED, SYNCED } from "./answer.ts";
import type { Site } from "./site.ts";

/** A visitor who has solved the embedded challenge before something breaks. */
export async function tokenKept(site: Site) {
  const token = await site.solveChallenge();
  const use = async () => (await site.signUpWith(token)).outcome;
  return {
    fails: async () => expectSame(await use(), FAILED),
    /** The failure has not burnt it; using it does. */
    isStillGood: async () => {
      expectSame(await use(), SYNCED);
      expectSame((await use()).slice(0, 4), "403 ");
    },
  };
}
