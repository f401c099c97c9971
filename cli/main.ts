#!/usr/bin/env node
import module from "node:module";
import { toolLoaders } from "../src/loaders.ts";

// Bun, and Node from 22.1 on, keep what they compile of the files below for the next run.
module.enableCompileCache?.();
// The tool that the first word names is loaded beside the command line, which asks for it later.
toolLoaders.get(process.argv[2] ?? "")?.();
const { runProcess } = await import("./run.ts");
await runProcess(toolLoaders);
