import type { Page } from "playwright-core";
import type { Service } from "../../../server/service.ts";
import { openSignup } from "../../../server/signup/open-signup.ts";
import { readSignupConfig } from "../../../server/signup/signup-config.ts";
import { sqliteStore } from "../../../server/signup/store/sqlite.ts";
import { temporaryDatabase } from "../../server/support/databases.ts";
import { runningServer } from "../../server/support/servers.ts";

/** The whole site on a free port of this machine, which is its own origin as for its visitors. */
export function runningSite(service: Partial<Service> = {}) {
  const site = runningServer({ baseUrl: (): string => site.origin, ...service });
  return site;
}

/**
 * A site whose signup is put together as in the real server, with a database of its own.
 *
 * @param variables of its configuration.
 * @param own its own origin, if that is another than where it is.
 */
export function signupSite(variables: Readonly<Record<string, string>> = {}, own?: string) {
  const database = temporaryDatabase();
  const signup = openSignup(readSignupConfig(variables), {
    store: sqliteStore(database),
    origin: (): string => own ?? site.origin,
    getPeer: () => "127.0.0.1",
    warn: () => {},
    onLateError: () => {},
    metrics: undefined,
  });
  const site = runningSite({ signup, ...(own !== undefined && { baseUrl: () => own }) });
  return {
    origin: site.origin,
    /** Runs SQL past the server. */
    run: (sql: string) => database.run(sql),
    rows: (): unknown[] =>
      database.query("SELECT email, cta_source, referral, referral_other FROM signups").all(),
  };
}

/** The signup form of a page. */
export const signupIn = (page: Page) => {
  const signup = page.locator(".signup");
  const field = (name: string) => signup.locator(`[name="${name}"]`);
  const button = signup.getByRole("button", { name: "Sign up" });
  return {
    signup,
    field,
    button,
    status: signup.getByRole("status"),
    thanks: signup.locator(".thanks"),
    /** Waits until the challenge has solved itself, which begins with the first letter. */
    solve: async () => {
      await field("email").fill("ada@site.test");
      await signup.locator('[name=altcha][value]:not([value=""])').waitFor({ state: "attached" });
    },
    /** Fills the form in and sends it. */
    send: async (email = "ada@site.test", name = "Ada Lovelace") => {
      await field("email").fill(email);
      await field("name").fill(name);
      await button.click();
    },
  };
};

export const SIGNUP = "/api/beta-signup";

/** The bodies of the signups that a page posts. */
export function postedBy(page: Page): readonly Readonly<Record<string, unknown>>[] {
  const bodies: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") bodies.push(request.postDataJSON());
  });
  return bodies;
}
