import { expect, test } from "bun:test";
import { interceptFetch } from "../../support/intercept-fetch.ts";
import { NEVER_SYNCED, SUBSCRIBER, setUp } from "./world.ts";

const times = <Result>(count: number, run: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => run(index));

const isOk = ({ ok }: { readonly ok: boolean }): boolean => ok;

test.each([
  [4, undefined],
  [2, 2],
])("of 200 simultaneous repeats, %d look-ups are under way at a time", async (most, set) => {
  await using world = setUp({ lookUpMs: 5 });
  const newsletter = world.makeNewsletter(set === undefined ? {} : { maxSearches: set });
  const emails = times(200, (index) => `ada${index}@site.test`);
  for (const email of emails) world.addKnown(email);
  const results = await Promise.all(
    emails.map((email) => newsletter.sync({ ...SUBSCRIBER, email }, NEVER_SYNCED)),
  );
  expect(results.filter(isOk)).toHaveLength(200);
  expect(world.listmonk.state.mostLookUps).toBe(most);
});

test.each([
  ["new", false],
  ["of another list", true],
])("100 parallel signups by four processes, for an address %s", async (_, isKnown) => {
  await using world = setUp();
  const { subscribers, list } = world.listmonk;
  if (isKnown) world.addKnown();
  const processes = times(4, () => world.makeNewsletter());
  const syncs = times(100, (index) => processes[index % 4]?.sync(SUBSCRIBER, NEVER_SYNCED));
  const results = await Promise.all(syncs);
  expect(results.filter((result) => result && isOk(result))).toHaveLength(100);
  expect(subscribers.rows.size).toBe(1);
  const [row] = subscribers.rows.values();
  expect(row?.attribs).toEqual(SUBSCRIBER.attributes);
  expect([...(row?.subscriptions ?? [])]).toEqual([[list.id, "unconfirmed"]]);
});

/** Does something at the moment when a call of the method is made. */
const justBefore = (world: ReturnType<typeof setUp>, wanted: string, act: () => unknown) =>
  interceptFetch(world.listmonk.url, async (go, { method }) => {
    if (method === wanted) act();
    return await go();
  });

test("a person who is blocklisted while attributes are added stays blocklisted", async () => {
  await using world = setUp();
  const row = world.addKnown();
  // While listmonk is between its reading and its writing.
  using _ = justBefore(world, "PATCH", () =>
    setTimeout(() => Object.assign(row, { status: "blocklisted" }), 1),
  );
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expect(row).toMatchObject({ status: "blocklisted", attribs: SUBSCRIBER.attributes });
});

test("a person who unsubscribes just before being added stays unsubscribed", async () => {
  await using world = setUp();
  const { subscriptions } = world.addKnown();
  const { id } = world.listmonk.list;
  using _ = justBefore(world, "PUT", () => subscriptions.set(id, "unsubscribed"));
  expect((await world.newsletter.sync(SUBSCRIBER, NEVER_SYNCED)).ok).toBe(true);
  expect(subscriptions.get(id)).toBe("unsubscribed");
});
