#!/usr/bin/env node
import module from "node:module";
import { COMMANDS } from "./commands.ts";

// Bun, and Node from 22.1 on, cache the compiled code of the files below.
module.enableCompileCache?.();
// Loads the command in parallel with run.ts, which awaits it later.
const [, , , load] = COMMANDS.find(([, name]) => name === process.argv[2]) ?? [];
load?.();
const [{ runCommandLine }, { processIo }] = await Promise.all([
  import("./run.ts"),
  import("./io.ts"),
]);
// Not process.exit, which would cut off pending output to a pipe.
process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
