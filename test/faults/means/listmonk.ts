import { TOKEN, USER } from "../../server/signup/fake-listmonk/door.ts";
import { startFakeListmonk } from "../../server/signup/fake-listmonk.ts";
import { openRelay } from "./relay.ts";

/** The stand-in for listmonk behind a relay. */
export async function openListmonk() {
  const listmonk = startFakeListmonk();
  const relay = await openRelay(listmonk.url);
  return {
    relay,
    faults: listmonk.faults,
    /** How a server is told of it. */
    environment: {
      LISTMONK_URL: relay.url,
      LISTMONK_API_USER: USER,
      LISTMONK_API_TOKEN: TOKEN,
      LISTMONK_LIST_ID: String(listmonk.list.id),
    },
    /** The addresses that it has. */
    subscribers: () => [...listmonk.book.rows.values()].map(({ email }) => email),
    /** The most look-ups that were under way at a time. */
    mostLookUps: () => listmonk.state.mostLookUps,
    [Symbol.asyncDispose]: async () => {
      relay[Symbol.dispose]();
      await listmonk[Symbol.asyncDispose]();
    },
  };
}

export type Listmonk = Awaited<ReturnType<typeof openListmonk>>;
