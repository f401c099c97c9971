import { openStore } from "../../../../server/signup/store/open-store.ts";
import { NOW, signup, use } from "../../support/signup.ts";

/*
 * One of several processes that use one store at once. It opens the store, waits for a line on
 * standard input, does 25 records in parallel, and prints how many were not replays.
 *
 * Arguments: the database URL, and what the records have in common: "address" or "nonce".
 */

const [databaseUrl = "", shared] = process.argv.slice(2);
const store = await openStore(databaseUrl);
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

const results = await Promise.all(
  Array.from({ length: 25 }, (_, index) => {
    const own = `${process.pid}-${index}`;
    const email = shared === "address" ? "same@x.test" : `${own}@x.test`;
    return store.record(signup(email), use(shared === "nonce" ? "same" : own), NOW);
  }),
);
process.stdout.write(`${results.filter((result) => result !== "replayed").length}\n`);
await store.close();
process.stdin.destroy();
