import { existsSync } from "node:fs";
import { join } from "node:path";
import { InvalidInputError } from "../../../src/index.ts";
import { mcpConfig, readServerJson } from "../../../src/mcp-config/index.ts";
import { outputOf } from "../programs.ts";

/*
 * Reads the manifests of real servers, at fixed commits: `bun run test/live/server-json/run.ts FOLDER`.
 * FOLDER has a clone of each repository in `manifests.txt`, as `owner+name` or `owner+name/repo`.
 * It prints those that are rejected, and fails for a crash, or when more than 5 % are rejected that
 * are no templates.
 */

const [folder = "."] = process.argv.slice(2);
const list = await Bun.file(join(import.meta.dir, "manifests.txt")).text();
const counts = { read: 0, rejected: 0, templates: 0, missing: 0, crashes: 0 };

for (const line of list.trim().split("\n")) {
  const [repository = "", commit = "", path = ""] = line.split(" ");
  const text = await manifestAt(repository, commit, path);
  if (text === undefined) {
    counts.missing += 1;
    continue;
  }
  try {
    const { servers, inputs, choices } = readServerJson(text);
    for (const { package: kind } of choices) readServerJson(text, { package: kind });
    for (const server of servers) mcpConfig(server, { inputs });
    counts.read += 1;
  } catch (error) {
    const isRejected = error instanceof InvalidInputError;
    const message = error instanceof Error ? error.message : String(error);
    const kind = !isRejected ? "crashes" : message.includes("template") ? "templates" : "rejected";
    counts[kind] += 1;
    process.stdout.write(`${kind}: ${repository} ${path}: ${message}\n`);
  }
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
const isGood = counts.crashes === 0 && counts.rejected <= 0.05 * (counts.read + counts.rejected);
process.exitCode = isGood && counts.read > 0 ? 0 : 1;

async function manifestAt(repository: string, commit: string, path: string) {
  const clone = join(folder, repository.replace("/", "+"));
  const cwd = existsSync(join(clone, "repo")) ? join(clone, "repo") : clone;
  return existsSync(cwd) ? outputOf(["git", "show", `${commit}:${path}`], { cwd }) : undefined;
}
