import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { answer } from "./probes.ts";

/* An MCP server on stdio that writes the arguments and the environment it got to a file. */

const [file = "", ...args] = process.argv.slice(2);
writeFileSync(file, JSON.stringify({ args, env: process.env }));

for await (const line of createInterface(process.stdin)) {
  const reply = answer(JSON.parse(line));
  if (reply) process.stdout.write(`${JSON.stringify(reply)}\n`);
}
