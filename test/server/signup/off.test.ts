import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tools } from "../../../schemas/index.ts";
import { DOCS_PATHS } from "../../../server/pages/docs/docs.tsx";
import { toolPagePath } from "../../../server/paths.ts";
import { runningServer, startServer } from "../support/servers.ts";

const on = runningServer();
const off = runningServer({ signup: undefined });

const PAGES = ["/", ...tools.map(toolPagePath), ...DOCS_PATHS, "/no-such-page"];

const pageOf = async ({ fetch }: typeof off, path: string) =>
  (await fetch(path, { headers: { Accept: "text/html" } })).text();

const SIGNUP_WORDS = /sign-?up|sign up|signed up|newsletter form|INGEST_SECRET/i;

describe("without a signup", () => {
  test.each(PAGES)("%s has no form and does not mention it", async (path) => {
    expect(await pageOf(on, path)).toMatch(SIGNUP_WORDS);
    expect(await pageOf(off, path)).not.toMatch(SIGNUP_WORDS);
  });

  test.each(["/llms.txt", "/openapi.json", "/.well-known/api-catalog", "/sitemap.xml"])(
    "%s does not mention it",
    async (path) => {
      expect(await off.text(path)).not.toMatch(SIGNUP_WORDS);
    },
  );
});

describe("handtools serve with SIGNUP=off", () => {
  const folder = mkdtempSync(join(tmpdir(), "handtools-off-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("opens no database and warns of nothing of the signup", async () => {
    const file = join(folder, "signups.sqlite");
    const server = await startServer(["--port", "0"], {
      SIGNUP: "off",
      DATABASE_URL: `file:${file}`,
      // Neither is used, so neither is read.
      LISTMONK_URL: "http://listmonk.test",
      LISTMONK_LIST_ID: "none",
    });
    expect((await fetch(`${server.base}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.base}/api/beta-signup/challenge`)).status).toBe(404);
    await Bun.sleep(200);
    server.signal("SIGTERM");
    expect(await server.exited(15_000)).toBe(0);
    expect(existsSync(file)).toBe(false);
    const lines = (await server.output()).trim().split("\n").slice(1);
    const warnings = lines
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level === "warning");
    const aboutSignup = warnings.filter(({ message }) => !/as root/.test(message));
    expect(aboutSignup).toEqual([]);
  });
});
