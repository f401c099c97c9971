import { expect } from "bun:test";
import { exactPattern, listmonkApi } from "../../../../server/signup/newsletter/listmonk-api.ts";
import type { NewsletterConfig } from "../../../../server/signup/signup-config.ts";
import { type FakeListmonk, startFakeListmonk, TOKEN, USER } from "../../support/fake-listmonk.ts";
import { interceptFetch } from "../../support/intercept-fetch.ts";
import type { Listmonk } from "../../support/signup.ts";
import { ATTRIBUTES, type Case, NAME } from "./cases.ts";

/** A listmonk to try things on, real or not. */
export interface Server {
  readonly url: string;
  readonly user: string;
  readonly token: string;
  /** A list with single opt-in. */
  readonly listId: number;
  /** How many opt-in mails an address got, where one can know. */
  readonly mailsTo?: (email: string) => number;
}

type ListName = "single" | "double" | "other";

/** A subscriber, with the subscription's status by list. */
export interface Person {
  readonly name: string;
  readonly status: string;
  readonly attribs: Readonly<Record<string, unknown>>;
  readonly on: Readonly<Partial<Record<ListName, string>>>;
}

interface Shown extends Omit<Person, "on"> {
  readonly id: number;
  readonly lists: readonly { readonly id: number; readonly subscription_status: string }[];
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Makes the lists that the cases need, and lets them seed and see subscribers, all by the API. */
export async function openWorld(server: Server) {
  const made: number[] = [];
  const api = async <Data>(method: string, path: string, body?: object): Promise<Data> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: {
        Authorization: `token ${server.user}:${server.token}`,
        "Content-Type": "application/json",
      },
      body: body ? JSON.stringify(body) : null,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    const { data }: { data: Data } = JSON.parse(await response.text());
    return data;
  };
  const addList = async (name: string, optin: string): Promise<number> => {
    const list = { name, optin, type: "public", tags: [] };
    return (await api<{ id: number }>("POST", "/lists", list)).id;
  };
  const lists: Readonly<Record<ListName, number>> = {
    single: server.listId,
    double: await addList("Handtools test, double", "double"),
    other: await addList("Handtools test, other", "single"),
  };
  const nameOf = (id: number) =>
    Object.entries(lists).find(([, listId]) => listId === id)?.[0] ?? `list ${id}`;

  return {
    server,
    lists,
    /** Makes a subscriber as described; its number. */
    async seed(email: string, { on, ...fields }: Person): Promise<number> {
      const targets = Object.entries(on).map(([name, status]) => ({
        target_list_ids: [lists[name as ListName]],
        status,
      }));
      const { id } = await api<Shown>("POST", "/subscribers", { email, ...fields, lists: [] });
      made.push(id);
      for (const target of targets) {
        await api("PUT", "/subscribers/lists", { ids: [id], action: "add", ...target });
      }
      return id;
    },
    async see(id: number): Promise<Person> {
      const { name, status, attribs, ...shown } = await api<Shown>("GET", `/subscribers/${id}`);
      const on = shown.lists.map((list) => [nameOf(list.id), list.subscription_status]);
      return { name, status, attribs, on: Object.fromEntries(on) };
    },
    async remove(id: number): Promise<void> {
      await api("DELETE", `/subscribers/${id}`);
    },
    /** Finds a subscriber whom a sync made, who is removed at the end. */
    async find(email: string): Promise<number | undefined> {
      const query = new URLSearchParams({ search: exactPattern(email) });
      const { results } = await api<{ results: (Shown & { email: string })[] }>(
        "GET",
        `/subscribers?${query}`,
      );
      const id = results.find((row) => row.email === email)?.id;
      if (id !== undefined) made.push(id);
      return id;
    },
    async close(): Promise<void> {
      for (const id of made) await api("DELETE", `/subscribers/${id}`);
      await api("DELETE", `/lists/${lists.double}`);
      await api("DELETE", `/lists/${lists.other}`);
    },
  };
}

/** The stand-in as one of the servers that the cases run on. */
export const asServer = ({ url, list, subscribers }: FakeListmonk): Server => ({
  url,
  user: USER,
  token: TOKEN,
  listId: list.id,
  mailsTo: (email) => subscribers.mails.filter((to) => to === email).length,
});

const MISSING = 999_999;

/** Plays a case, and gives what came of it beside what should have. */
export async function runScenario(world: World, wanted: Case) {
  const { server, lists } = world;
  const email = `${wanted.local ?? "ada"}-${crypto.randomUUID().slice(0, 8)}@site.test`;
  const { before, list = "single" } = wanted;
  if (wanted.namesake) {
    const attribs = {};
    await world.seed(`x-${email}`, { name: email, status: "enabled", attribs, on: {} });
  }
  const seeded = before && (await world.seed(email, before));

  const listmonk = listmonkApi({
    url: server.url,
    user: server.user,
    token: wanted.wrongToken ? "wrong" : server.token,
    listId: list === "missing" ? MISSING : lists[list],
    preconfirm: wanted.preconfirm ?? false,
    maxSearches: 4,
  });
  const mailsBefore = server.mailsTo?.(email) ?? 0;

  const calls: string[] = [];
  const sync = async () => {
    using _ = interceptFetch(server.url, async (go, { method }) => {
      const at = calls.push("") - 1;
      const response = await go();
      calls[at] = `${method} ${response.status}`;
      return response;
    });
    const subscriber = { email, name: NAME, attributes: ATTRIBUTES };
    return await listmonk.sync(subscriber, wanted.synced ?? false);
  };
  const result = await sync();

  const id = seeded ?? (result.ok ? await world.find(email) : undefined);
  return {
    actual: {
      ok: result.ok,
      calls,
      after: id === undefined ? undefined : await world.see(id),
      mails: server.mailsTo && server.mailsTo(email) - mailsBefore,
    },
    expected: {
      ok: wanted.ok,
      calls: wanted.calls,
      after: wanted.after,
      mails: server.mailsTo && (wanted.mails ?? 0),
    },
  };
}

export const EMAIL = "ada@site.test";
export const SUBSCRIBER = {
  email: EMAIL,
  name: "Ada Lovelace",
  attributes: { ctaSource: "hero" },
};
export const NEVER_SYNCED = false;

/** A stand-in, and newsletters that put people on its list. */
export function setUp(options: Parameters<typeof startFakeListmonk>[0] = {}) {
  const listmonk = startFakeListmonk(options);
  const warnings: string[] = [];
  const config = {
    url: listmonk.url,
    user: USER,
    token: TOKEN,
    listId: listmonk.list.id,
    preconfirm: false,
    maxSearches: 4,
  };
  const makeNewsletter = (changes: Partial<NewsletterConfig> = {}) =>
    withNotes(warnings, listmonkApi({ ...config, ...changes }));
  return {
    listmonk,
    newsletter: makeNewsletter(),
    /** Makes one more newsletter, as another process has it. */
    makeNewsletter,
    warnings,
    /** Somebody known, who is not on the list. */
    addKnown: (email: string = EMAIL, name = "Old Name") => {
      const fields = { email, name, status: "enabled", attribs: {} };
      return listmonk.subscribers.add({ ...fields, lists: [], preconfirm: false });
    },
    wantConfirmation: () =>
      listmonk.subscribers.lists.set(listmonk.list.id, { ...listmonk.list, optin: "double" }),
    /** The answers of a route so far. */
    seenAt: (route: string) => listmonk.seen.filter((seen) => seen.route === route),
    [Symbol.asyncDispose]: () => listmonk[Symbol.asyncDispose](),
  };
}

/** A newsletter that notes why its syncs failed, which the log shows. */
function withNotes(notes: string[], newsletter: Listmonk): Listmonk {
  return {
    ...newsletter,
    async sync(subscriber, state) {
      const result = await newsletter.sync(subscriber, state);
      if (result.failure !== undefined) notes.push(result.failure);
      return result;
    },
  };
}

/** No word of listmonk's, and nothing of a person: it goes into the operator's log. */
export function expectDiscreet(warnings: readonly string[]) {
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.join("\n")).not.toMatch(/ada|site\.test|Lovelace|hero|token-of|Key \(/i);
}
