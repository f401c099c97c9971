import type { Catalog } from "../src/loaders.ts";
import { processIo } from "./process-io.ts";
import { run } from "./run.ts";

/** Runs the command line of this process, and leaves its exit code. */
export async function runProcess(catalog: Catalog): Promise<void> {
  // Not process.exit: it would cut off output that a pipe has not taken yet.
  process.exitCode = await run(process.argv.slice(2), processIo(), catalog);
}
