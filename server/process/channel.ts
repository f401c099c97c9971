import * as v from "valibot";
import type { Snapshot } from "./metrics.ts";

interface Questions {
  /** A worker reports that it serves. */
  ready(): void;
  /** A worker adds to the counts of all workers, and gets each count then. */
  count(added: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
  /** The parent collects what a worker has measured. */
  scrape(): Promise<Snapshot>;
}

/** One end of the channel between a parent and a worker. */
export interface Channel {
  /** Waits for an answer as long as the other end lives. */
  ask<Name extends keyof Questions>(
    name: Name,
    ...question: Parameters<Questions[Name]>
  ): Promise<Awaited<ReturnType<Questions[Name]>>>;
  /** Answers a question of the other end from now on. */
  answer<Name extends keyof Questions>(name: Name, reply: Questions[Name]): void;
}

export function channelToParent(): Channel {
  const { channel, receive } = openChannel((message) => {
    if (!process.connected) throw new Error("the parent has ended");
    process.send?.(message);
  });
  process.on("message", receive);
  return channel;
}

/** @param send sends a message to the other end. It throws when there is none any more. */
export function openChannel(send: (message: object) => void) {
  const replies = new Map<string, (question: unknown) => unknown>();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;

  const ask = async (name: string, content?: unknown): Promise<unknown> => {
    lastId += 1;
    const answer = Promise.withResolvers<unknown>();
    send({ id: lastId, name, content });
    waiting.set(lastId, answer);
    return answer.promise;
  };
  const answer = (name: string, reply: (question: unknown) => unknown) => replies.set(name, reply);

  return {
    channel: { ask, answer } as Channel,
    /** Handles a message of the other end. */
    async receive(message: unknown): Promise<void> {
      if (!v.is(MessageSchema, message)) return;
      const { id, name, content } = message;
      if (name === undefined) {
        waiting.get(id)?.resolve(content);
        waiting.delete(id);
        return;
      }
      const reply = replies.get(name);
      if (!reply) return;
      const answered = await reply(content);
      try {
        send({ id, content: answered });
      } catch {
        // The other end has gone meanwhile.
      }
    },
    /** Rejects everything that waits for the other end. */
    close(): void {
      for (const { reject } of waiting.values()) reject(new Error("the other process has ended"));
      waiting.clear();
    },
  };
}

/** A question has a name; its answer has none, and the same number. */
const MessageSchema = v.object({
  id: v.number(),
  name: v.optional(v.string()),
  content: v.optional(v.unknown()),
});
