import { expect, test } from "bun:test";
import { readSignupConfig } from "../../../server/signup/config.ts";
import { memoryCounter } from "../../../server/signup/counts.ts";
import { openSignup } from "../../../server/signup/open.ts";
import { sqliteStore } from "../../../server/signup/store/sqlite.ts";
import { temporaryDatabase } from "../support/databases.ts";
import { NOW, signup } from "../support/signup.ts";

test("without a newsletter a sync succeeds, leaves the row to one that comes, and nothing is checked", async () => {
  const store = sqliteStore(temporaryDatabase());
  const { newsletter } = openSignup(readSignupConfig({}, undefined), {
    store,
    origin: () => "https://tools.test",
    peerOf: () => undefined,
    counter: memoryCounter(),
    warn: () => {},
    onLateError: () => {},
    onOutcome: undefined,
    onNewsletterFailure: undefined,
    onNamesKept: undefined,
  });
  const { email } = signup("ada@site.test");
  await store.record(signup(email), undefined, NOW);
  const subscriber = { email, name: "Ada", attributes: {} };
  expect(await newsletter.sync(subscriber)).toEqual({ ok: true });
  expect(await store.find(email)).toMatchObject({ synced: false, syncedAt: undefined });
  expect(newsletter.check).toBeUndefined();
});
