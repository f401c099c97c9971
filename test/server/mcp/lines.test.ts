import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_MESSAGE_BYTES } from "../../../server/service.ts";
import { tries } from "../../support/runs.ts";
import { linesOf, overStdio } from "../support/mcp.ts";

const TOO_LONG = `the message must have at most ${MAX_MESSAGE_BYTES} bytes`;

/** The answers that a client of these chunks reads: ids, or messages of errors. */
const answersTo = async (chunks: readonly Uint8Array[]): Promise<readonly string[]> =>
  linesOf(await overStdio(chunks))
    .map((line) => JSON.parse(line))
    .map(({ id, error }) => (error ? `${id} ${error.message}` : id));

const ping = (id: string) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });

/** A line and the answer to it. */
const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .string({ unit: "binary", minLength: 1, maxLength: 40 })
      .map((id) => ({ text: ping(id), answer: [id] })),
  },
  fc.constant({ text: "", answer: [] }),
  fc.nat(3).map((more) => {
    const id = "é".repeat(9);
    const room = MAX_MESSAGE_BYTES - Buffer.byteLength(ping(id)) - 1 + more;
    return { text: ping(id) + " ".repeat(room), answer: [more > 1 ? `${id} ${TOO_LONG}` : id] };
  }),
);

test("a message is one line, wherever the input is cut into chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.array(fc.nat(200_000), { maxLength: 12 }),
      fc.boolean(),
      async (lines, cuts, ends) => {
        const bytes = Buffer.from(lines.map(({ text }) => text).join("\n") + (ends ? "\n" : ""));
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
        places.sort((one, other) => one - other);
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(await answersTo(chunks)).toEqual(lines.flatMap(({ answer }) => answer));
      },
    ),
    tries(30),
  );
});
