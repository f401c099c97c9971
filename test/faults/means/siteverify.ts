import { fakeSiteverify, passing, type Reply } from "../../server/signup/fake-siteverify.ts";
import { SECRETS } from "../site/secrets.ts";
import { openRelay } from "./relay.ts";

/** The stand-in takes a reply for each request; there will not be so many. */
const ENOUGH = 100_000;

/** The stand-in for Turnstile's siteverify behind a relay. It lets everybody in. */
export async function openSiteverify() {
  let reply: Reply = passing();
  const replies = Array<Reply>(ENOUGH).fill((form) => reply(form));
  const siteverify = fakeSiteverify(...replies);
  const relay = await openRelay(siteverify.url);
  return {
    relay,
    /** From now on it replies with this. */
    reply: (next: Reply) => {
      reply = next;
    },
    /** How a server is told of it. */
    environment: {
      TURNSTILE_SITE_KEY: "a-site-key",
      TURNSTILE_SECRET_KEY: SECRETS.turnstile,
      TURNSTILE_VERIFY_URL: relay.url,
    },
    [Symbol.dispose]: () => {
      relay[Symbol.dispose]();
      siteverify[Symbol.dispose]();
    },
  };
}

export type Siteverify = Awaited<ReturnType<typeof openSiteverify>>;
