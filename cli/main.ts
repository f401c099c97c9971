#!/usr/bin/env node
import module from "node:module";
import { toolCommands } from "./tool-list.ts";

// Bun, and Node from 22.1 on, keep the compiled code of the files below for the next run.
module.enableCompileCache?.();
// The tool that the first argument names loads at the same time as run.ts, which awaits it later.
toolCommands.get(process.argv[2] ?? "")?.();
const { runProcess } = await import("./run.ts");
await runProcess(toolCommands);
