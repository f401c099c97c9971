import { SIGNUP, TOKENLESS } from "./signup.ts";

/** Waits for the next minute if too little is left of this one, in which callers are counted. */
export async function minuteWithSeconds(seconds: number): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < seconds * 1_000) await Bun.sleep(left);
}

/** How many of ten signups, each on a connection of its own, pass to the challenge. */
export async function passed(servers: readonly { readonly base: string }[]): Promise<number> {
  const headers = { "Content-Type": "application/json", Connection: "close" };
  const init = { method: "POST", headers, body: JSON.stringify(TOKENLESS) };
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const server = servers[at % servers.length];
      return (await fetch(`${server?.base}${SIGNUP}`, init)).status;
    }),
  );
  return statuses.filter((status) => status === 403).length;
}
