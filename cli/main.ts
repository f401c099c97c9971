#!/usr/bin/env node
import module from "node:module";
import { COMMANDS } from "./commands.ts";

// Bun, and Node from 22.1 on, keep the compiled code of the files below for the next run.
module.enableCompileCache?.();
// The command that the first argument names loads at the same time as run.ts, which awaits it later.
const [, , , load] = COMMANDS.find(([, name]) => name === process.argv[2]) ?? [];
load?.();
const [{ runCommandLine }, { processIo }] = await Promise.all([
  import("./run.ts"),
  import("./io.ts"),
]);
// Not process.exit: it would cut off output that a pipe has not accepted yet.
process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
