import type { Command } from "commander";
import { UsageFailure } from "./failures.ts";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { onlyValue, valueOption } from "./option.ts";
import { explainServer } from "./server-failure.ts";

/** `handtools serve`: the HTTP server. It needs Bun, and finds it when another runtime runs us. */
export function defineServeCommand(command: Command, io: Io): void {
  const port = valueOption("--port <number>", "where to listen; 0 takes a free port (PORT)");
  const host = valueOption("--host <address>", "the address to listen on (HOST)");
  const workers = valueOption("--workers <number>", "processes that share the port (Linux)");
  command
    .description(
      "Run the HTTP server until SIGTERM or Ctrl-C. It needs Bun. The environment configures it: see the README.",
    )
    .addOption(port)
    .addOption(host)
    .addOption(workers)
    .addHelpText(
      "after",
      exampleHelp([
        "handtools serve",
        "BASE_URL=https://tools.example.com handtools serve --workers 4",
      ]),
    )
    .action(async () => {
      const count = workerCount(onlyValue(command, workers));
      const flags = { PORT: onlyValue(command, port), HOST: onlyValue(command, host) };
      if (process.versions.bun === undefined) {
        const { runOnBun } = await import("./bun.ts");
        return runOnBun(process.argv.slice(1));
      }
      await startServer({ ...io.environment, ...given(flags) }, count, io);
    });
}

const MAX_WORKERS = 64;

function workerCount(text = "1"): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_WORKERS) return count;
  throw new UsageFailure([`--workers: must be a whole number from 1 to ${MAX_WORKERS}`]);
}

const given = (flags: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

async function startServer(environment: Io["environment"], workers: number, io: Io): Promise<void> {
  const { serve, StartFailure } = await import("../server/main.ts");
  try {
    await serve(environment, (line) => io.writeOut(`${line}\n`), workers);
  } catch (error) {
    throw error instanceof StartFailure ? explainServer(error) : error;
  }
}
