#!/usr/bin/env node
import { processIo } from "./io.ts";
import { run } from "./run.ts";

// Not process.exit: it would cut off output that a pipe has not taken yet.
process.exitCode = await run(process.argv.slice(2), processIo());
