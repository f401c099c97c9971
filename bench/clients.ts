import { join } from "node:path";
import type { Load } from "./load.ts";

/** Enough to keep one server process busy without taking all of a small machine. */
const CLIENTS = 2;
const CONNECTIONS_EACH = 16;

/** What is sent; how many connections share it is the same for all. */
export type Request = Pick<Load, "method" | "path" | "body">;

interface Extent {
  readonly milliseconds: number;
  readonly requests?: number;
}

/** Puts load on a server from several processes, and gives its answers per second. */
export async function answersPerSecond(
  port: number,
  request: Request,
  { milliseconds, requests }: Extent,
): Promise<number> {
  const load: Load = {
    ...request,
    port,
    connections: CONNECTIONS_EACH,
    milliseconds,
    ...(requests !== undefined && { requests: Math.ceil(requests / CLIENTS) }),
  };
  const rates = await Promise.all(Array.from({ length: CLIENTS }, () => runClient(load)));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function runClient(load: Load): Promise<number> {
  const client = Bun.spawn(
    [process.execPath, join(import.meta.dir, "client.ts"), JSON.stringify(load)],
    { stdio: ["ignore", "pipe", "inherit"], timeout: load.milliseconds + 10_000 },
  );
  const output = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error("a client failed");
  return Number(output);
}
