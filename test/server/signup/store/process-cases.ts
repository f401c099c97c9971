import { expect, test } from "bun:test";
import type { TestEngine } from "../../support/databases.ts";
import { firstLine } from "../../support/servers.ts";

const BURST = Bun.fileURLToPath(new URL("./burst-process.ts", import.meta.url));

/** A case in which several processes use one new database at a time. */
export function processCases(engine: TestEngine): void {
  test("three processes that start together and use one nonce 25 times record one address", async () => {
    const database = await engine.create();
    const children = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, BURST, database.url], { stdio: ["pipe", "pipe", "inherit"] }),
    );
    const outputs = await Promise.all(children.map(({ stdout }) => firstLine(stdout)));
    for (const { stdin } of children) {
      stdin.write("go\n");
      stdin.end();
    }
    const texts = await Promise.all(outputs.map(({ readAll }) => readAll()));
    expect(texts.sort()).toEqual(["ready\n0\n", "ready\n0\n", "ready\n1\n"]);
    await database.drop();
  }, 60_000);
}
