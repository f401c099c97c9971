import { describe, expect, test } from "bun:test";
import { jsonLog } from "../../../../server/process/log.ts";
import { type SignupService, serverCallerTest } from "../../../../server/signup/open-signup.ts";
import { altcha, encode } from "../../support/altcha.ts";
import { failing, fakeSiteverify, type Reply, turnstileAt } from "../../support/fake-siteverify.ts";
import { json, text } from "../../support/faults.ts";
import { anyToken, signupSite } from "../../support/signup.ts";

/*
 * Whatever a caller sends bears a mark, the neighbours repeat it in their words, and the log must
 * have none.
 */
const MARK = "marker7";
const MARKS = /marker7|203\.0\.113/i;

const EMAIL = `${MARK}@${MARK}.test`;
const SECRET = `${MARK}-secret-of-a-server-of-ours-0001`;
/** As databases and mail systems put it. */
const WORDS = `duplicate key: Key (lower(email))=(${EMAIL}), name ${MARK}, token ${MARK}`;

const site = signupSite();
const log = jsonLog((line) => site.lines.push(line));
const entries = () => site.lines.map((line) => JSON.parse(line));

const PERSON = {
  email: EMAIL,
  name: MARK,
  ctaSource: MARK,
  referral: "other",
  referralOther: MARK,
  turnstileToken: MARK,
  meta: { utmSource: MARK, username: MARK },
};
const FROM = {
  "X-Forwarded-For": `203.0.113.7, ${MARK}`,
  "User-Agent": MARK,
  Referer: `https://${MARK}.test/`,
  Cookie: `a=${MARK}`,
};
const BY_SERVER = { ...FROM, Authorization: `Bearer ${SECRET}` };

/** Everything that may come: new, repeated, wrong, from elsewhere. */
async function storm(): Promise<number[]> {
  const responses = [
    await site.signUp(PERSON, FROM),
    await site.signUp(PERSON, FROM),
    await site.signUp(PERSON, BY_SERVER),
    await site.signUp({ ...PERSON, turnstileToken: undefined }, { ...BY_SERVER, Origin: MARK }),
    await site.signUp({ ...PERSON, turnstileToken: undefined }, FROM),
    await site.signUp({ ...PERSON, turnstileToken: encode({ [MARK]: MARK }) }, FROM),
    await site.signUp(PERSON, { ...FROM, Authorization: `Bearer wrong-${SECRET}` }),
    await site.signUp({ ...PERSON, honeypot: MARK }, FROM),
    await site.signUp({ ...PERSON, [MARK]: MARK }, FROM),
    await site.signUp({ ...PERSON, email: `${MARK}@` }, FROM),
    await site.post(`{"${MARK}`, FROM),
    await site.post(MARK.repeat(2_000), FROM),
    await site.post(JSON.stringify(PERSON), { ...FROM, "Content-Type": `text/${MARK}` }),
  ];
  return responses.map(({ status }) => status);
}

/** Lets the storm loose, and expects the log to tell of it, without a mark. */
async function expectDiscreetLog(said: string) {
  site.change({
    isServerCaller: serverCallerTest([SECRET]),
    onLateError: (error) => log.error("after the response", error),
  });
  const statuses = await storm();
  const requests = entries().filter(({ level }) => level === "info");
  expect(requests.map(({ status }) => status)).toEqual(statuses);
  const others = entries().filter(({ level }) => level !== "info");
  expect(others.map(({ message, error }) => message ?? error).join("\n")).toInclude(said);
  expect(site.lines.join("")).not.toMatch(MARKS);
}

const rejection = () => {
  const cause = Object.assign(new Error(WORDS), { code: "SQLITE_FULL" });
  return Promise.reject(new Error(WORDS, { cause }));
};

test("the storm reaches every kind of answer", async () => {
  site.change({ challenge: anyToken, isServerCaller: serverCallerTest([SECRET]) });
  expect(await storm()).toEqual([200, 200, 200, 403, 403, 200, 200, 200, 400, 400, 400, 413, 415]);
});

describe("nothing of a person is in the log when", () => {
  test.each<[string, Partial<SignupService>, string]>([
    ["all is well", {}, ""],
    [
      "the store fails",
      { store: { ...site.store, record: rejection } },
      "recording the signup failed: Error",
    ],
    [
      "the store cannot note the sync",
      {
        store: { ...site.store, endSync: (...sync) => site.store.endSync(...sync).then(rejection) },
      },
      "storing the result of the sync failed: Error SQLITE_FULL",
    ],
    [
      "the challenge fails",
      { challenge: { verify: rejection } },
      "checking the challenge failed: Error SQL",
    ],
    ["the embedded challenge is given anything", { challenge: altcha() }, ""],
  ])("%s", async (_, ports, said) => {
    site.change({ challenge: anyToken, ...ports });
    await expectDiscreetLog(said);
  });

  test.each([
    ["a row", "INSERT"],
    ["a change", "UPDATE"],
  ])("the database rejects %s", async (_, event) => {
    site.change({ challenge: anyToken });
    site.database.run(
      `CREATE TRIGGER broken BEFORE ${event} ON signups BEGIN SELECT raise(ABORT, '${WORDS}'); END`,
    );
    try {
      await expectDiscreetLog("SQLITE_CONSTRAINT_TRIGGER");
    } finally {
      site.database.run("DROP TRIGGER broken");
    }
  });

  test.each<[string, Reply, string]>([
    ["a code of its own", failing(`${MARK}-code`), "response-malformed"],
    ["HTML", text(`<h1>${WORDS}</h1>`, { status: 502 }), "response-malformed 502"],
    ["another shape", json({ success: WORDS }), "response-malformed"],
    ["a wrong secret", failing("invalid-input-secret"), "invalid-input-secret"],
  ])("Turnstile answers with %s", async (_, reply, said) => {
    using siteverify = fakeSiteverify(...Array.from({ length: 30 }, () => reply));
    site.change({ challenge: turnstileAt(siteverify.url, { secret: SECRET }) });
    await expectDiscreetLog(said);
  });
});
