import { beforeEach } from "bun:test";
import type { Subscriber } from "../../../server/signup/model.ts";
import type { SignupPorts } from "../../../server/signup/sign-up.ts";
import { sqliteStore } from "../../../server/signup/store/sqlite.ts";
import type { RawResponse } from "../raw-response.ts";
import { runningServer } from "../running-server.ts";
import { GOOD_TOKEN, newsletterThat, signupPorts } from "./signup-ports.ts";
import { temporaryDatabase } from "./temporary-database.ts";

export const SIGNUP = "/api/beta-signup";

/** What a browser posts, and the server takes. */
export const GOOD = {
  email: "ada@site.test",
  name: "Ada Lovelace",
  ctaSource: "hero",
  turnstileToken: GOOD_TOKEN,
};

type Headers = Readonly<Record<string, string>>;

/** A site on a real socket, whose signup begins anew with each test of the file. */
export function signupSite() {
  const faults: unknown[] = [];
  const subscribers: Subscriber[] = [];
  const database = temporaryDatabase();
  const working = signupPorts({
    store: sqliteStore(database),
    newsletter: newsletterThat(async (subscriber) => {
      subscribers.push(subscriber);
      return { ok: true, listmonkId: undefined };
    }),
    onLateFault: (error) => faults.push(error),
  });
  const ports = { ...working };
  const server = runningServer({ signup: ports });

  const change = (changed: Partial<SignupPorts>) => Object.assign(ports, changed);
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Headers = {},
  ): Promise<RawResponse> => {
    const type = { "Content-Type": "application/json" };
    const init = { method: "POST", headers: { ...type, ...headers }, body };
    const response = await server.fetch(SIGNUP, init);
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };

  beforeEach(() => {
    change(working);
    database.run("DELETE FROM signups");
    database.run("DELETE FROM used_nonces");
    for (const list of [faults, subscribers, server.lines]) list.length = 0;
  });

  return {
    ...server,
    /** Puts other ports in the place of those that there are, for one test. */
    change,
    post,
    /** Posts a good signup with these changes; undefined leaves a field out. */
    signUp: (changes: object = {}, headers?: Headers) =>
      post(JSON.stringify({ ...GOOD, ...changes }), headers),
    database,
    /** The store that every test begins with. */
    store: working.store,
    rows: () => database.query("SELECT * FROM signups").all(),
    /** Whom the newsletter was given. */
    subscribers,
    /** What went wrong after an address was recorded. */
    faults,
  };
}
