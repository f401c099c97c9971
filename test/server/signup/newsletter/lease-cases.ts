import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  type Newsletter,
  openNewsletter,
} from "../../../../server/signup/newsletter/sync-newsletter.ts";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import type { SignupStore } from "../../../../server/signup/store/signup-store.ts";
import { runs } from "../../../support/runs.ts";
import type { TestDatabase, TestEngine } from "../../support/databases.ts";
import { failure } from "../../support/fake-listmonk.ts";
import { type Listmonk, listmonkThat, NOW, signup } from "../../support/signup.ts";
import { EMAIL, SUBSCRIBER, setUp } from "./world.ts";

const CREATE = "POST /api/subscribers";

/** Cases for a newsletter with a lease, on any database. */
export function leaseCases(engine: TestEngine): void {
  let database: TestDatabase;
  /** Of two servers. */
  let stores: SignupStore[];
  const faults: unknown[] = [];
  beforeEach(async () => {
    database = await engine.create();
    stores = [await openStore(database.url), await openStore(database.url)];
    faults.length = 0;
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.drop();
    expect(faults).toEqual([]);
  });

  /** The same newsletter on both servers. */
  const onServers = (makeListmonk: () => Listmonk): Newsletter[] =>
    stores.map((store) =>
      openNewsletter(makeListmonk(), {
        store,
        onError: (error) => faults.push(error),
        warn: () => {},
        onPendingCount: undefined,
        retryMs: 2 ** 30,
      }),
    );
  const record = (email = EMAIL) => stores[0]?.record(signup(email), undefined, NOW);
  const syncAt = (servers: readonly Newsletter[], at: number, email = EMAIL) =>
    servers[at % servers.length]?.sync({ ...SUBSCRIBER, email });

  test("a double click on two servers is one mail, for somebody of another list", async () => {
    await using world = setUp();
    world.wantConfirmation();
    const servers = onServers(world.makeNewsletter);
    const emails = Array.from({ length: runs(25) }, (_, at) => `ada${at}@site.test`);
    for (const email of emails) {
      world.addKnown(email);
      await record(email);
      const results = await Promise.all([0, 1, 2, 3].map((at) => syncAt(servers, at, email)));
      const [one, other, ...joined] = results.map((result) => result?.ok);
      expect(joined).toEqual([one, other]);
      expect(one || other).toBe(true);
      expect(await stores[0]?.find(email)).toMatchObject({ synced: true });
    }
    expect(world.listmonk.subscribers.mails).toEqual(emails);
  }, 120_000);

  test("a sync under way elsewhere is a failure at once, and changes nothing of it", async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const slow = listmonkThat(async () => {
      ask();
      await answer;
      return { ok: true };
    });
    const servers = onServers(() => slow);
    await record();
    const first = syncAt(servers, 0);
    await asked;
    const failure = "another process syncs the address, or it was deleted";
    expect(await syncAt(servers, 1)).toEqual({ ok: false, failure });
    expect(await stores[0]?.find(EMAIL)).toMatchObject({ failedAt: undefined });
    resolve();
    expect(await first).toEqual({ ok: true });
    expect(await syncAt(servers, 1)).toEqual({ ok: true });
    expect(await stores[0]?.find(EMAIL)).toMatchObject({ synced: true });
  });

  test("listmonk dies between creating somebody and the mail: the next sync asks for it", async () => {
    await using world = setUp();
    world.wantConfirmation();
    const { faults: broken, subscribers, list } = world.listmonk;
    broken.set(CREATE, () => {
      const row = { email: EMAIL, name: "Ada", status: "enabled", attribs: {} };
      const added = subscribers.add({ ...row, lists: [list.id], preconfirm: true });
      added.subscriptions.set(list.id, "unconfirmed");
      return failure(500, "killed");
    });
    const servers = onServers(world.makeNewsletter);
    await record();
    expect(await syncAt(servers, 0)).toMatchObject({ ok: false });
    expect(subscribers.mails).toEqual([]);
    expect(await stores[0]?.find(EMAIL)).toMatchObject({ failedAt: expect.any(Date) });
    broken.clear();
    for (let times = 0; times < 3; times += 1) {
      expect(await syncAt(servers, times)).toMatchObject({ ok: true });
    }
    expect(subscribers.mails).toEqual([EMAIL]);
  });
}
