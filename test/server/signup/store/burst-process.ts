import { openStore } from "../../../../server/signup/store/open-store.ts";
import { NOW, signup, use } from "../../support/signup.ts";

/*
 * One of several processes that use one store at once. It opens the store of the URL, waits for a
 * line on standard input, does 25 records with one nonce in parallel, and prints how many were not
 * replays.
 */

const store = await openStore(process.argv[2] ?? "");
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

const results = await Promise.all(
  Array.from({ length: 25 }, (_, index) =>
    store.record(signup(`${process.pid}-${index}@x.test`), use("same"), NOW),
  ),
);
process.stdout.write(`${results.filter(Boolean).length}\n`);
await store.close();
process.stdin.destroy();
