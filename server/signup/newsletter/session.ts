import { type Answer, CALL_MS, type Call, type Send } from "./http-client.ts";
import type { Slots } from "./slots.ts";
import { SyncFailure } from "./sync-failure.ts";

const SYNC_MS = 8_000;

/** For so long a look-up that was given up may still be under way in listmonk. */
const ABANDONED_MS = 30_000;

/** The calls of one sync, which all together have eight seconds, and each of them three. */
export interface Session {
  call(call: Call): Promise<Answer>;
  /**
   * The same for a look-up, of which few may be under way: each keeps one connection of listmonk's
   * pool and waits for a second, and when all wait listmonk hangs for good.
   */
  lookUp(path: string): Promise<Answer>;
}

export function openSession(send: Send, lookUps: Slots): Session {
  const whole = AbortSignal.timeout(SYNC_MS);
  const deadline = () => AbortSignal.any([whole, AbortSignal.timeout(CALL_MS)]);
  return {
    call: (call) => send(call, deadline()),
    async lookUp(path) {
      const release = await lookUps.take(whole).catch(() => {
        throw new SyncFailure("Too many look-ups wait for listmonk");
      });
      const signal = deadline();
      try {
        return await send({ method: "GET", path }, signal);
      } finally {
        // listmonk works on, although nobody listens any more.
        if (signal.aborted) setTimeout(release, ABANDONED_MS).unref();
        else release();
      }
    },
  };
}
