import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import type { Request } from "./clients.ts";
import { compare } from "./compare.ts";
import { memoryRow } from "./memory.ts";
import type { Command } from "./program.ts";
import type { Row } from "./row.ts";

const runTool: Request = {
  method: "POST",
  path: "/api/tools/mcp-config-generator",
  body: JSON.stringify(mcpConfigContract.example_input),
};
const getHealth: Request = { method: "GET", path: "/api/health" };

const rival = (name: string): Command => ({
  words: [join(import.meta.dir, "servers", `${name}.ts`)],
});

/**
 * The server against others that do the same work.
 *
 * @param many requests for the memory row.
 */
export async function serverRows(many: number): Promise<Row[]> {
  // Nobody signs up here, but a server wants a database.
  const folder = mkdtempSync(join(tmpdir(), "handtools-bench-"));
  const handtools = (log: "json" | "off"): Command => ({
    words: [join(import.meta.dir, "../cli/main.ts"), "serve"],
    environment: { LOG: log, DATABASE_URL: `file:${join(folder, "handtools.sqlite")}` },
  });
  const rows = [
    await compare({
      what: "POST a tool, against bare `Bun.serve` with the same library call",
      goal: { atLeast: 0.9 },
      request: runTool,
      ours: handtools("off"),
      baseline: rival("bare-tool"),
    }),
    await compare({
      what: "GET /api/health, against bare `Bun.serve` with a fixed answer",
      goal: { atLeast: 1 },
      request: getHealth,
      ours: handtools("off"),
      baseline: rival("bare-health"),
    }),
    await compare({
      what: "POST a tool, against Fastify with ajv",
      goal: { above: 1 },
      request: runTool,
      ours: handtools("off"),
      baseline: rival("fastify"),
    }),
    await compare({
      what: "POST a tool, against Hono with valibot",
      goal: { above: 1 },
      request: runTool,
      ours: handtools("off"),
      baseline: rival("hono"),
    }),
    await compare({
      what: "POST a tool with the log, against without it",
      request: runTool,
      ours: handtools("json"),
      baseline: handtools("off"),
    }),
    await memoryRow(handtools("off"), runTool, many),
  ];
  rmSync(folder, { recursive: true });
  return rows;
}
