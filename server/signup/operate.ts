import { type Environment, StartupError } from "../config.ts";
import { readSignupConfig } from "./config.ts";
import type { SignupStore } from "./model.ts";
import { openStore } from "./store/open-store.ts";

export { StartupError } from "../config.ts";

type SignupAction =
  | { readonly name: "count" }
  | { readonly name: "export" | "delete"; readonly email: string };

/**
 * Does what an operator asks of the stored addresses: count them, show what is stored of one
 * person, or delete it.
 *
 * @param environment the server's configuration, of which DATABASE_URL counts.
 * @returns the text to print.
 * @throws {StartupError} when the database cannot be used, or the address is not stored.
 */
export async function operateSignups(
  action: SignupAction,
  environment: Environment,
): Promise<string> {
  const store = await openStore(readSignupConfig(environment, undefined).databaseUrl);
  try {
    return await perform(action, store);
  } finally {
    await store.close();
  }
}

async function perform(action: SignupAction, store: SignupStore): Promise<string> {
  if (action.name === "count") return `${await store.count()}\n`;
  const email = action.email.trim().toLowerCase();
  if (action.name === "export") {
    const row = await store.find(email);
    if (!row) throw notStored();
    return `${JSON.stringify(row, null, 2)}\n`;
  }
  if (!(await store.remove(email))) throw notStored();
  return "deleted here; the newsletter system keeps its own record, which is to be deleted there\n";
}

const notStored = (): StartupError => new StartupError(1, ["the address is not stored"]);
