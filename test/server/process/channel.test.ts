import { describe, expect, test } from "bun:test";
import { openChannel } from "../../../server/process/channel.ts";

/** A parent and a worker, whose messages are copied as between processes. */
function pair() {
  const parent: ReturnType<typeof openChannel> = openChannel((message) => {
    void worker.receive(structuredClone(message));
  });
  const worker = openChannel((message) => {
    void parent.receive(structuredClone(message));
  });
  return { parent, worker };
}

const pending = Symbol();
const outcome = (promise: Promise<unknown>) =>
  Promise.race([promise, Bun.sleep(5).then(() => pending)]);

describe("a channel", () => {
  test("brings each answer to its question, in whatever order they come", async () => {
    const { parent, worker } = pair();
    parent.channel.answer("count", async (added) => {
      const [[key, wait] = ["", 0]] = added;
      await Bun.sleep(wait);
      return new Map([[key, wait + 1]]);
    });
    const ask = (key: string, wait: number) => worker.channel.ask("count", new Map([[key, wait]]));
    expect(await Promise.all([ask("a", 20), ask("b", 0), ask("c", 10)])).toEqual([
      new Map([["a", 21]]),
      new Map([["b", 1]]),
      new Map([["c", 11]]),
    ]);
  });

  test("is one for both directions", async () => {
    const { parent, worker } = pair();
    worker.channel.answer("scrape", async () => [{ name: "a" }]);
    parent.channel.answer("ready", () => undefined);
    const asked = [parent.channel.ask("scrape"), worker.channel.ask("ready")];
    expect(await Promise.all<unknown>(asked)).toEqual([[{ name: "a" }], undefined]);
  });

  test("leaves a question waiting that the other end does not know, until that is gone", async () => {
    const { parent } = pair();
    const asked = parent.channel.ask("scrape");
    expect(await outcome(asked)).toBe(pending);
    parent.close();
    expect(asked).rejects.toThrow("the other process has ended");
  });

  test("rejects a question that cannot be sent, and drops an answer that cannot", async () => {
    const { channel, receive } = openChannel(() => {
      throw new Error("closed");
    });
    expect(channel.ask("scrape")).rejects.toThrow("closed");
    channel.answer("scrape", async () => []);
    expect(await receive({ id: 1, name: "scrape" })).toBeUndefined();
  });

  test.each([undefined, "ready", {}, { id: "1" }, { id: 7, content: 1 }, { id: 1, name: "none" }])(
    "ignores the message %j",
    async (message) => {
      const sent: object[] = [];
      const { receive } = openChannel((answer) => sent.push(answer));
      await receive(message);
      expect(sent).toEqual([]);
    },
  );
});
