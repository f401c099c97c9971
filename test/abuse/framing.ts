import { expect } from "bun:test";
import fc from "fast-check";
import { openConnection } from "../server/connection.ts";
import { ANSWERED, ANSWERED_LAST, REFUSED, SMUGGLED } from "./framing-forms.ts";
import { inParallel } from "./in-parallel.ts";
import { cuts, inPieces, sendPieces } from "./in-pieces.ts";
import type { Scenario } from "./scenario.ts";
import { toolRequest } from "./tool-request.ts";

const AT_A_TIME = 8;
const PATIENCE_MS = 20_000;

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Refused by Bun or cut off, and nothing else said. */
async function expectRefused(connection: Connection): Promise<void> {
  const received = await connection.closed(PATIENCE_MS);
  expect(received.split("\r\n")[0]).toMatch(/^(?:HTTP\/1\.1 (?:400 |505 ).*)?$/);
  expect(received.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThan(2);
}

async function expectAnswered(connection: Connection): Promise<void> {
  expect(await connection.response()).toMatchObject(toolRequest("framing").answer);
}

/** What stands behind the request is one of its own, for a path that there is not. */
async function expectSmuggled(connection: Connection): Promise<void> {
  const { status, body } = await connection.response();
  expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 404, code: "not_found" });
}

const GROUPS: readonly (readonly [
  forms: readonly string[],
  check: (connection: Connection) => Promise<void>,
])[] = [
  [REFUSED, expectRefused],
  [
    ANSWERED,
    async (connection) => {
      await expectAnswered(connection);
      await expectSmuggled(connection);
    },
  ],
  [
    ANSWERED_LAST,
    async (connection) => {
      await expectAnswered(connection);
      await expectRefused(connection);
    },
  ],
];

const forms = GROUPS.flatMap(([texts, check]) => texts.map((text) => ({ text, check })));

/** Requests whose end two readers might see in different places, and others that are no HTTP. */
export const framing: Scenario = {
  title: "what could be read in two ways is refused, and what hides in it is not answered",

  async run({ port, seed, times }) {
    // Each comes whole at first, and then in packets cut anywhere.
    const rounds = [[], ...fc.sample(cuts, { numRuns: times(4, 199), seed })];
    const sendings = rounds.flatMap((shares) => forms.map((form) => ({ ...form, shares })));
    await inParallel(sendings, AT_A_TIME, async ({ text, check, shares }) => {
      const connection = await openConnection(port);
      await sendPieces(connection, inPieces(Buffer.from(text + SMUGGLED, "latin1"), shares));
      await check(connection).catch((error: unknown) => {
        throw new Error(`${JSON.stringify(text)}\n${error}`);
      });
      connection.end();
    });
    return `${sendings.length} requests of ${forms.length} forms`;
  },
};
