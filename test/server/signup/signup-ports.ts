import type { Newsletter } from "../../../server/signup/model.ts";
import type { SignupPorts } from "../../../server/signup/sign-up.ts";
import { sqliteStore } from "../../../server/signup/store/sqlite.ts";
import { temporaryDatabase } from "./temporary-database.ts";

/** The token that the challenge of these ports takes; any other is refused. */
export const GOOD_TOKEN = "good-token";

/** A store of its own, a challenge that knows one token, and no newsletter. */
export const signupPorts = (ports: Partial<SignupPorts> = {}): SignupPorts => ({
  store: sqliteStore(temporaryDatabase()),
  challenge: {
    verify: async (token) => (token === GOOD_TOKEN ? { use: undefined } : undefined),
  },
  newsletter: newsletterThat(async () => ({ ok: true, listmonkId: undefined })),
  origin: () => "https://tools.test",
  isServerCaller: () => false,
  limit: () => {},
  now: () => new Date(),
  onLateFault: () => {},
  ...ports,
});

export const newsletterThat = (sync: Newsletter["sync"]): Newsletter => ({ sync });
