import { describe, expect, test } from "bun:test";
import { altcha } from "../../support/altcha.ts";
import { chunkedPost, exchange, openConnection } from "../../support/http.ts";
import { runningServer } from "../../support/servers.ts";
import {
  expectRejected,
  expectSignedUp,
  GOOD,
  rawSignup,
  SIGNUP,
  signupPorts,
  signupSite,
} from "../../support/signup.ts";

const site = signupSite();

const LIMIT = 8_192;
const GOOD_BODY = JSON.stringify(GOOD);

/** A good signup of exactly so many bytes. */
function ofBytes(size: number, filler = "a"): string {
  const text = (ctaSource: string) => JSON.stringify({ ...GOOD, ctaSource });
  const room = size - text("").length;
  const width = Buffer.byteLength(filler);
  return text(filler.repeat(Math.floor(room / width)) + "b".repeat(room % width));
}

describe("the size", () => {
  test("in chunks may be 8,192 bytes, and no more", async () => {
    const post = (body: string) => exchange(site.port, chunkedPost(SIGNUP, body, 1_000));
    const most = ofBytes(LIMIT, "é");
    expect(Buffer.byteLength(most)).toBe(LIMIT);
    expectSignedUp(await post(most));
    expect(site.rows()).toHaveLength(1);
    expectRejected(await post(ofBytes(LIMIT + 1, "é")), "payload_too_large");
  });

  test("a body that is shorter than announced is not taken", async () => {
    const connection = await openConnection(site.port);
    connection.send(rawSignup(GOOD_BODY, GOOD_BODY.length + 1));
    await Bun.sleep(50);
    connection.end();
    await Bun.sleep(50);
    expect(site.rows()).toEqual([]);
  });
});

describe("GET /api/beta-signup/challenge", () => {
  const CHALLENGE = `${SIGNUP}/challenge`;
  const embedded = runningServer({ signup: signupPorts({ challenge: altcha() }) });

  test("gives a new challenge each time, to our own pages only", async () => {
    const [first, second] = [await embedded.fetch(CHALLENGE), await embedded.fetch(CHALLENGE)];
    expect(first.status).toBe(200);
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(first.headers.has("access-control-allow-origin")).toBe(false);
    expect(await first.text()).not.toBe(await second.text());
  });
});
