import { describe, expect, test } from "bun:test";
import { withLease } from "../../../../server/signup/newsletter/lease.ts";
import { expectPending } from "../../support/clock.ts";
import { sqlite } from "../../support/databases.ts";
import { newsletterThat } from "../../support/signup.ts";
import { leaseCases } from "./lease-cases.ts";
import { NEVER_SYNCED, SUBSCRIBER } from "./world.ts";

describe("a newsletter with a lease in SQLite", () => leaseCases(sqlite));

test("of very many at a time the last fail at once, and a stop waits for the others", async () => {
  const { promise: database, resolve } = Promise.withResolvers<undefined>();
  const { sync, finish } = withLease(
    newsletterThat(async () => ({ ok: true, listmonkId: 1 })),
    {
      store: { lease: () => database, endSync: async () => {} },
      now: () => new Date(),
      onError: () => {},
    },
  );
  const ofNumber = (at: number) =>
    sync({ ...SUBSCRIBER, email: `ada${at}@site.test` }, NEVER_SYNCED);
  const first = Array.from({ length: 1_000 }, (_, at) => ofNumber(at));
  const { failure } = await ofNumber(1_000);
  expect(failure).toBe("too many people wait for listmonk");
  const finished = finish?.();
  await expectPending(Promise.race([...first, finished]));
  resolve(undefined);
  await finished;
  // None of them is stored.
  expect((await Promise.all(first)).filter(({ ok }) => ok)).toEqual([]);
  expect((await ofNumber(1_000)).failure).not.toBe(failure);
});
