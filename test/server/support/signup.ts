import { beforeEach, expect } from "bun:test";
import { ERROR_STATUS } from "../../../schemas/index.ts";
import type {
  ChallengeNonce,
  SignupChallenge,
} from "../../../server/signup/challenge/challenge.ts";
import type { ListmonkApi, Subscriber } from "../../../server/signup/newsletter/listmonk-api.ts";
import {
  type Newsletter,
  openNewsletter,
} from "../../../server/signup/newsletter/sync-newsletter.ts";
import type { SignupService } from "../../../server/signup/open-signup.ts";
import type { SignupRecord, SignupStore } from "../../../server/signup/store/signup-store.ts";
import { sqliteStore } from "../../../server/signup/store/sqlite.ts";
import { temporaryDatabase } from "./databases.ts";
import type { RawResponse } from "./http.ts";
import { runningServer } from "./servers.ts";

/** The token that the challenge of these ports takes; any other is rejected. */
const GOOD_TOKEN = "good-token";

/** A store of its own, a challenge that knows one token, and no newsletter. */
export const signupPorts = (ports: Partial<SignupService> = {}): SignupService => ({
  store: sqliteStore(temporaryDatabase()),
  challenge: {
    verify: async (token) => (token === GOOD_TOKEN ? { nonce: undefined } : undefined),
  },
  newsletter: newsletterThat(),
  privacyUrl: undefined,
  origin: () => "https://tools.test",
  isServerCaller: () => false,
  limit: undefined,
  sleep: () => Bun.sleep(0),
  warn: () => {},
  metrics: undefined,
  ...ports,
});

/** A challenge that takes every token, of whatever length. */
export const anyToken: SignupChallenge = { verify: async () => ({ nonce: undefined }) };

/** What the newsletter asks of listmonk. */
export type Listmonk = Pick<ListmonkApi, "sync" | "check" | "asksToConfirm">;

/** A newsletter of which a test decides some parts. */
export const newsletterThat = (parts: Partial<Newsletter> = {}): Newsletter => ({
  sync: async () => ({ ok: true }),
  check: async () => [],
  asksToConfirm: () => undefined,
  finish: async () => {},
  close: () => {},
  ...parts,
});

export const listmonkThat = (sync: Listmonk["sync"]): Listmonk => ({
  sync,
  check: async () => [],
  asksToConfirm: () => undefined,
});

export const NOW = new Date("2026-11-21T10:20:30.456Z");

export const hoursLater = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);

export const signup = (email: string, rest: Partial<SignupRecord> = {}): SignupRecord => ({
  email,
  ctaSource: "hero",
  referral: undefined,
  referralOther: undefined,
  ...rest,
});

export const use = (nonce: string): ChallengeNonce => ({ nonce, expiresAt: NOW });

/** Notes that the newsletter has an address, as at the end of a sync. */
export async function markSynced(store: SignupStore, email: string, now = NOW): Promise<void> {
  const lease = await store.lease(email, 1_000, now);
  if (!lease) throw new Error("there is no lease");
  await store.endSync(email, lease, { ok: true }, now);
}

export const SIGNUP = "/api/beta-signup";

/** A signup by one of our servers, which the site accepts. */
export const TOKENLESS = { email: "ada@site.test", name: "Ada Lovelace", ctaSource: "hero" };

/** A signup by a browser, which the site accepts. */
export const GOOD = { ...TOKENLESS, turnstileToken: GOOD_TOKEN };

type Headers = Readonly<Record<string, string>>;

/** The bytes of a request on a raw connection; a length that is given takes the place of its own. */
export function rawSignup(body: string, length = Buffer.byteLength(body)): string {
  const head = `POST ${SIGNUP} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
  return `${head}Content-Length: ${length}\r\n\r\n${body}`;
}

/** A site on a real socket, whose signup begins again with each test of the file. */
export function signupSite() {
  const faults: unknown[] = [];
  const subscribers: Subscriber[] = [];
  const database = temporaryDatabase();
  const working = signupPorts({ store: sqliteStore(database), sleep: () => settled() });
  const syncs = listmonkThat(async (subscriber) => {
    subscribers.push(subscriber);
    return { ok: true };
  });
  const ports = { ...working };
  /** Waits until the syncs have ended, in whatever time that takes, and what follows on them. */
  const settled = async () => {
    await ports.newsletter?.finish();
    await Bun.sleep(0);
  };
  const server = runningServer({ signup: ports });

  let onError: (error: unknown) => void;
  /**
   * @param onLateError takes an error after the response, in the place of the list of faults.
   * @param listmonk takes the place of the one that the newsletter syncs to.
   */
  const change = ({
    onLateError,
    listmonk,
    ...changed
  }: Partial<SignupService> & {
    readonly onLateError?: typeof onError;
    readonly listmonk?: Listmonk;
  }) => {
    if (onLateError) onError = onLateError;
    Object.assign(ports, changed);
    if (!listmonk) return;
    const store: typeof working.store = {
      ...working.store,
      lease: (...given) => ports.store.lease(...given),
      endSync: (...given) => ports.store.endSync(...given),
    };
    ports.newsletter = openNewsletter(listmonk, {
      store,
      onError: (error) => onError(error),
      warn: () => {},
      onPendingCount: undefined,
      retryMs: 2 ** 30,
    });
  };
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
    change({ ...working, listmonk: syncs, onLateError: (error) => faults.push(error) });
    database.run("DELETE FROM signups");
    database.run("DELETE FROM used_nonces");
    for (const list of [faults, subscribers, server.lines]) list.length = 0;
  });

  return {
    ...server,
    /** Puts other ports in the place of those that there are, for one test. */
    change,
    settled,
    post,
    /** Posts a good signup with these changes; undefined leaves a field out. */
    signUp: (changes: object = {}, headers?: Headers) =>
      post(JSON.stringify({ ...GOOD, ...changes }), headers),
    database,
    /** The store that every test begins with. */
    store: working.store,
    rows: () => database.query("SELECT * FROM signups").all(),
    /** The people given to the newsletter. */
    subscribers,
    /** Errors after an address was recorded. */
    faults,
  };
}

const OTHER_SITES_READ_NOTHING = { "cache-control": "no-store", vary: "Origin" };

const STATUS = { ...ERROR_STATUS, rate_limited: 429 };

/** Expects the documented text and not a word more, which nobody keeps and no other site reads. */
export function expectRejected({ status, headers, body }: RawResponse, code: keyof typeof STATUS) {
  expect({ status, body }).toEqual({
    status: STATUS[code],
    body: `{"error":{"code":"${code}","message":"Request rejected"}}`,
  });
  expectPrivate(headers);
}

export function expectSignedUp({ status, headers, body }: RawResponse, listmonk = true) {
  expect({ status, body }).toEqual({ status: 200, body: `{"ok":true,"listmonk":${listmonk}}` });
  expectPrivate(headers);
}

function expectPrivate(headers: RawResponse["headers"]) {
  expect(headers).toMatchObject({
    ...OTHER_SITES_READ_NOTHING,
    "content-type": "application/json",
  });
  expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
}
