import { expect } from "bun:test";
import fc from "fast-check";
import { ORIGIN } from "../server/signup/altcha-tokens.ts";
import { expectRejected, expectSignedUp } from "../server/signup/expect-signup.ts";
import { inParallel, upTo } from "./in-parallel.ts";
import type { Scenario, Target } from "./scenario.ts";
import { attempts, INGEST_SECRET } from "./signups/attempts.ts";
import { sendSignup } from "./signups/send-signup.ts";
import { CHALLENGE_SECRET, goodToken } from "./signups/tokens.ts";

const AT_A_TIME = 32;

/** Signups with anything wrong that there can be; gives the addresses that were acknowledged. */
async function flood({ port, seed, times }: Target): Promise<string[]> {
  const sample = fc.sample(attempts, { numRuns: times(4_000, 60_000), seed });
  const acknowledged: string[] = [];
  await inParallel(sample, AT_A_TIME, async (attempt, index) => {
    const { token, fields, fate } = attempt;
    const email = `flood-${index}@site.test`;
    const turnstileToken = await token();
    const response = await sendSignup(port, { email, turnstileToken, ...fields }, attempt);
    if (fate !== "recorded" && fate !== "trapped") return expectRejected(response, fate);
    expectSignedUp(response);
    if (fate === "recorded") acknowledged.push(email);
  });
  return acknowledged;
}

/** Tokens that are sent many times at once, each time for another address. */
async function replay({ port, times }: Target): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < times(30, 500); round += 1) {
    const turnstileToken = await goodToken();
    const emails = Array.from(
      { length: AT_A_TIME },
      (_, index) => `replay-${round}-${index}@site.test`,
    );
    const responses = await Promise.all(
      emails.map(async (email) => ({
        email,
        response: await sendSignup(port, { email, turnstileToken }),
      })),
    );
    const [taken, ...others] = responses.filter(({ response }) => response.status === 200);
    expect(others).toEqual([]);
    for (const { response } of responses) {
      if (response.status !== 200) expectRejected(response, "verification_failed");
    }
    if (taken) acknowledged.push(taken.email);
  }
  return acknowledged;
}

/** One address, in many spellings at once. */
async function repeat({ port, times }: Target): Promise<string[]> {
  const spellings = ["one@site.test", " One@Site.Test", "ONE@SITE.TEST\t"];
  await inParallel(upTo(times(300, 3_000)), AT_A_TIME, async (index) => {
    const email = spellings[index % spellings.length];
    const authorization = `Bearer ${INGEST_SECRET}`;
    expectSignedUp(await sendSignup(port, { email }, { authorization }));
  });
  return ["one@site.test"];
}

/** Those who want in without being asked, or twice, or in somebody's name. */
export const signups: Scenario = {
  title: "of all signups the store holds those that were acknowledged, once",
  environment: { BASE_URL: ORIGIN, CHALLENGE_SECRET, SIGNUP_INGEST_SECRET: INGEST_SECRET },

  async run(target) {
    const flooded = await flood(target);
    const replayed = await replay(target);
    const repeated = await repeat(target);
    const acknowledged = [...flooded, ...replayed, ...repeated].sort();
    const rows = await target.database.query("SELECT email FROM signups ORDER BY email");
    expect(rows).toEqual(acknowledged.map((email) => ({ email })));
    expect(replayed.length).toBe(target.times(30, 500));
    return `${flooded.length} of ${target.times(4_000, 60_000)} floods, ${replayed.length} of ${replayed.length * AT_A_TIME} replays and 1 of ${target.times(300, 3_000)} repeats recorded`;
  },
};
