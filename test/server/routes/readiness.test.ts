import { describe, expect, test } from "bun:test";
import type { SignupStore } from "../../../server/signup/store/signup-store.ts";
import { openTimeMachine } from "../support/clock.ts";
import { runningServer } from "../support/servers.ts";
import { newsletterThat, signupPorts } from "../support/signup.ts";

type TryWrite = SignupStore["tryWrite"];

const answers: TryWrite = async () => {};
const fails: TryWrite = async () => {
  throw new Error("the database is gone");
};
const isSilent: TryWrite = () => new Promise(() => {});
const throwsAtOnce: TryWrite = () => {
  throw new Error("the database is closed");
};

/** A server whose store answers as it is told, and how often it was asked. */
function siteWith(first: TryWrite, isDraining = false) {
  const given = { tryWrite: first, asked: 0 };
  const tryWrite: TryWrite = () => {
    given.asked += 1;
    return given.tryWrite();
  };
  const { store } = signupPorts();
  const signup = signupPorts({ store: { ...store, tryWrite } });
  return Object.assign(given, runningServer({ signup, isDraining: () => isDraining }));
}

const check = async ({ fetch }: ReturnType<typeof siteWith>) => {
  const response = await fetch("/readyz");
  const { status, headers } = response;
  return {
    status,
    type: headers.get("content-type"),
    kept: headers.get("cache-control"),
    body: await response.text(),
  };
};

const REST = { type: "application/json", kept: "no-store" };
const READY = { status: 200, ...REST, body: '{"status":"pass"}' };
const NOT_READY = { status: 503, ...REST, body: '{"status":"fail"}' };

describe("GET /readyz", () => {
  test("passes with a real store, and with what is wrong with the newsletter as soon as that is known", async () => {
    const said = Promise.withResolvers<readonly string[]>();
    const newsletter = newsletterThat({ check: () => said.promise });
    const { fetch } = runningServer({ signup: signupPorts({ newsletter }) });
    const body = async () => await (await fetch("/readyz")).text();
    expect(await body()).toBe('{"status":"pass"}');
    said.resolve(["listmonk has no list 7: check LISTMONK_LIST_ID"]);
    await Bun.sleep(20);
    expect(JSON.parse(await body())).toEqual({
      status: "pass",
      warnings: ["listmonk has no list 7: check LISTMONK_LIST_ID"],
    });
  });

  test.each([
    ["a store that fails", fails],
    ["a store that throws at once", throwsAtOnce],
  ])("fails for %s", async (_, tryWrite) => {
    expect(await check(siteWith(tryWrite))).toEqual(NOT_READY);
  });

  test("fails after a second without an answer, and waits for one question at a time", async () => {
    using time = openTimeMachine();
    const site = siteWith(isSilent);
    const started = performance.now();
    expect(await Promise.all([check(site), check(site)])).toEqual([NOT_READY, NOT_READY]);
    expect(performance.now() - started).toBeGreaterThan(950);
    time.skip(1_000);
    expect(await check(site)).toEqual(NOT_READY);
    expect(site.asked).toBe(1);
  });

  test("asks the store once a second, however many ask", async () => {
    using time = openTimeMachine();
    const site = siteWith(answers);
    for (let times = 0; times < 20; times += 1) await check(site);
    expect(site.asked).toBeLessThanOrEqual(2);
    site.tryWrite = fails;
    time.skip(1_000);
    expect(await check(site)).toEqual(NOT_READY);
    site.tryWrite = answers;
    expect(await check(site)).toEqual(NOT_READY);
    time.skip(1_000);
    expect(await check(site)).toEqual(READY);
  });

  test("fails while the server stops, without asking the store; the health check says the same", async () => {
    const site = siteWith(answers, true);
    expect(await check(site)).toEqual(NOT_READY);
    expect(site.asked).toBe(0);
    expect((await site.fetch("/api/health")).status).toBe(503);
  });

  test("does not change the health check", async () => {
    const site = siteWith(fails);
    expect((await site.fetch("/api/health")).status).toBe(200);
    expect(site.asked).toBe(0);
  });

  test("is not logged, and not in the OpenAPI document", async () => {
    const site = siteWith(fails);
    await check(site);
    expect(site.lines).toEqual([]);
    expect(await site.text("/openapi.json")).not.toContain("readyz");
  });
});
