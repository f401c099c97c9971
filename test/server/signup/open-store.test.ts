import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../server/signup/store/open-store.ts";

const folder = mkdtempSync(join(tmpdir(), "handtools-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
await Bun.write(join(folder, "letter.txt"), "Dear reader, ".repeat(1_000));

test.each([
  ["", 2, "must be file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE"],
  ["handtools.sqlite", 2, "must be file:PATH or"],
  ["mysql://127.0.0.1/x", 2, "must be file:PATH or"],
  ["postgres://:::/x", 2, "must be file:PATH or"],
  ["file:", 2, "must name a file, such as file:handtools.sqlite"],
  ["file:x.sqlite?mode=memory", 2, "file:PATH takes no options; leave out what follows ?"],
  [`file:${folder}/none/x.sqlite`, 1, `${folder}/none: there is no such folder; make it first`],
  [`file:${folder}`, 1, `${folder} cannot be used as a SQLite database: unable to open`],
  [
    `file:${folder}/letter.txt`,
    1,
    `${folder}/letter.txt cannot be used as a SQLite database: file is not a database`,
  ],
  [
    "postgres://user:a-secret@127.0.0.1:1/x",
    1,
    "PostgreSQL at 127.0.0.1:1 cannot be used: Failed to connect",
  ],
])("openStore(%j) says what is wrong", async (url, exitCode, problem) => {
  const failure = await openStore(url).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: "StartFailure",
    exitCode,
    problems: [expect.stringContaining(`DATABASE_URL: ${problem}`)],
  });
  expect(String(failure)).not.toInclude("a-secret");
});
