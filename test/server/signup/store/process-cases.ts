import { expect, test } from "bun:test";
import { openStore } from "../../../../server/signup/store/open-store.ts";
import type { TestEngine } from "../../support/databases.ts";
import { firstLine } from "../../support/servers.ts";

export const runProgram = (program: URL, ...parameters: readonly string[]) =>
  Bun.spawn([process.execPath, Bun.fileURLToPath(program), ...parameters], {
    stdio: ["pipe", "pipe", "inherit"],
  });

const BURST = new URL("./burst-process.ts", import.meta.url);

const PROCESSES = 4;

/** How many records each of the processes had accepted, 25 each, all on the same new database. */
async function burst(url: string, shared: "address" | "nonce"): Promise<number[]> {
  const children = Array.from({ length: PROCESSES }, () => runProgram(BURST, url, shared));
  const outputs = await Promise.all(children.map(({ stdout }) => firstLine(stdout)));
  for (const { stdin } of children) {
    stdin.write("go\n");
    stdin.end();
  }
  const texts = await Promise.all(outputs.map(({ readAll }) => readAll()));
  return texts.map((text) => Number(/^ready\n(\d+)\n$/.exec(text)?.[1]));
}

/** Cases in which several processes use one database at a time. */
export function processCases(engine: TestEngine): void {
  test("four processes that start together and record one address 25 times make one row", async () => {
    const database = await engine.create();
    expect(await burst(database.url, "address")).toEqual([25, 25, 25, 25]);
    const store = await openStore(database.url);
    expect(await store.count()).toBe(1);
    await store.close();
    await database.drop();
  }, 60_000);

  test("four processes that use one nonce 25 times record one address", async () => {
    const database = await engine.create();
    const accepted = await burst(database.url, "nonce");
    expect(accepted.sort()).toEqual([0, 0, 0, 1]);
    const store = await openStore(database.url);
    expect(await store.count()).toBe(1);
    await store.close();
    await database.drop();
  }, 60_000);
}
