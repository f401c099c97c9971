import { expect } from "bun:test";
import type { Newsletter } from "../../../../server/signup/model.ts";
import {
  type ListmonkApiOptions,
  listmonkApi,
} from "../../../../server/signup/newsletter/listmonk-api.ts";
import { TOKEN, USER } from "../fake-listmonk/door.ts";
import { startFakeListmonk } from "../fake-listmonk.ts";

export const EMAIL = "ada@site.test";
export const SUBSCRIBER = {
  email: EMAIL,
  name: "Ada Lovelace",
  attributes: { ctaSource: "hero" },
};
export const NEVER_SYNCED = { synced: false, listmonkId: undefined };

/** A stand-in, and newsletters that put people on its list. */
export function setUp(options: Parameters<typeof startFakeListmonk>[0] = {}) {
  const listmonk = startFakeListmonk(options);
  const warnings: string[] = [];
  const makeNewsletter = (changes: Partial<ListmonkApiOptions> = {}): Newsletter =>
    listmonkApi({
      url: listmonk.url,
      user: USER,
      token: TOKEN,
      listId: listmonk.list.id,
      preconfirm: false,
      warn: (problem) => warnings.push(problem),
      ...changes,
    });
  return {
    listmonk,
    newsletter: makeNewsletter(),
    /** One more, as of another process. */
    makeNewsletter,
    warnings,
    /** Somebody known, who is not on the list. */
    addKnown: (email: string = EMAIL, name = "Old Name") => {
      const fields = { email, name, status: "enabled", attribs: {} };
      return listmonk.book.add({ ...fields, lists: [], preconfirm: false });
    },
    wantConfirmation: () =>
      listmonk.book.lists.set(listmonk.list.id, { ...listmonk.list, optin: "double" }),
    /** The answers of a route so far. */
    seenAt: (route: string) => listmonk.seen.filter((seen) => seen.route === route),
    [Symbol.asyncDispose]: () => listmonk[Symbol.asyncDispose](),
  };
}

/** No word of listmonk's, and nothing of a person: it goes into the operator's log. */
export function expectDiscreet(warnings: readonly string[]) {
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.join("\n")).not.toMatch(/ada|site\.test|Lovelace|hero|token-of|Key \(/i);
}
