import type { Newsletter } from "../ports.ts";

/** No newsletter is set up: there is nothing to sync, and that is fine. */
export const newsletterOff: Newsletter = {
  sync: async () => ({ ok: true, listmonkId: undefined, skipped: true }),
};
