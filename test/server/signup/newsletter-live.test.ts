import { expect, test } from "bun:test";
import { join } from "node:path";
import { TOKEN, USER } from "./fake-listmonk/door.ts";
import { startFakeListmonk } from "./fake-listmonk.ts";

const ROOT = join(import.meta.dir, "../../..");

/** `npm run test:listmonk`, with nothing in its environment but what is given. */
async function runSuite(env: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, "test/listmonk/run.ts"], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await new Response(child.stdout).text();
  return { output, code: await child.exited };
}

test("the suite for a real listmonk holds of the stand-in too, and tidies up", async () => {
  await using listmonk = startFakeListmonk();
  const { output, code } = await runSuite({
    LISTMONK_TEST_URL: listmonk.url,
    LISTMONK_TEST_USER: USER,
    LISTMONK_TEST_TOKEN: TOKEN,
    LISTMONK_TEST_LIST_ID: String(listmonk.list.id),
    LISTMONK_TEST_CONFIRM: "throwaway",
  });
  expect(output).toMatch(/^22 passed, 0 failed$/m);
  expect(code).toBe(0);
  expect([...listmonk.book.lists.keys()]).toEqual([listmonk.list.id]);
  // Listmonk made one that it put on no list, and of which nobody knows the number.
  expect(listmonk.book.rows.size).toBe(1);
});

test("it touches nothing that it is not told to be throwaway", async () => {
  await using listmonk = startFakeListmonk();
  const { output, code } = await runSuite({
    LISTMONK_TEST_URL: listmonk.url,
    LISTMONK_TEST_USER: USER,
    LISTMONK_TEST_TOKEN: TOKEN,
    LISTMONK_TEST_LIST_ID: String(listmonk.list.id),
  });
  expect(output).toMatch(/^Not run: /);
  expect(code).toBe(0);
  expect(listmonk.seen).toEqual([]);
});
