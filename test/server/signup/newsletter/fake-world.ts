import { TOKEN, USER } from "../fake-listmonk/door.ts";
import type { FakeListmonk } from "../fake-listmonk.ts";
import type { Server } from "./world.ts";

/** The stand-in as one of the servers that the cases run on. */
export const asServer = ({ url, list, book }: FakeListmonk): Server => ({
  url,
  user: USER,
  token: TOKEN,
  listId: list.id,
  mailsTo: (email) => book.mails.filter((to) => to === email).length,
});
