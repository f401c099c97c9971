import { writeSync } from "node:fs";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import { NOW, signup, use } from "../../support/signup.ts";

/*
 * Records addresses until it is killed, and prints each one that the store has acknowledged.
 *
 * Arguments: the database URL, and what sets this round's addresses apart from the others'.
 */

const [databaseUrl = "", round = ""] = process.argv.slice(2);
const store = await openStore(databaseUrl);
for (let index = 0; ; index += 1) {
  // Every other address is one that earlier rounds have recorded too.
  const email = index % 2 === 0 ? `${index}@x.test` : `${round}-${index}@x.test`;
  const state = await store.record(signup(email), use(`${round}-${index}`), NOW);
  if (state === "replayed") throw new Error(`${email}: nobody has used its nonce`);
  writeSync(1, `${email}\n`);
}
