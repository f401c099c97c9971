import { answersPerSecond, type Request } from "./clients.ts";
import { type Command, type Program, withProgram } from "./program.ts";
import type { Row } from "./row.ts";

const FEW = 10_000;

/** A tool answers hundreds of requests a second on the slowest machine we know. */
const MILLISECONDS_PER_REQUEST = 5;

/** Compares the memory of a server after many requests with that after a few. */
export async function memoryRow(command: Command, request: Request, many: number): Promise<Row> {
  const { few, most } = await withProgram(command, async (server) => {
    const send = (requests: number) =>
      answersPerSecond(server.port, request, {
        requests,
        milliseconds: requests * MILLISECONDS_PER_REQUEST,
      });
    await send(FEW);
    const few = residentKilobytes(server);
    await send(many - FEW);
    return { few, most: residentKilobytes(server) };
  });
  return {
    what: `memory after ${many.toLocaleString("en-US")} requests, against ${FEW.toLocaleString("en-US")}`,
    ours: megabytes(most),
    baseline: megabytes(few),
    ratio: most / few,
    goal: { atMost: 1.2 },
  };
}

function residentKilobytes({ pid }: Program): number {
  const { stdout } = Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]);
  return Number(stdout.toString());
}

const megabytes = (kilobytes: number): string => `${Math.round(kilobytes / 1024)} MB`;
