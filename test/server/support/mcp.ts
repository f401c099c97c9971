import { PassThrough, Readable } from "node:stream";
import { serveMcp } from "../../../server/mcp/stdio.ts";
import { createRunner } from "../../../server/service.ts";

/** What the MCP server has: the tools, and an end at the first internal error. */
const mcpHost = {
  run: createRunner(),
  onError: (error: unknown) => {
    throw error;
  },
};

/** What the MCP server writes to standard output while it reads these chunks to their end. */
export async function overStdio(chunks: Iterable<Uint8Array>): Promise<string> {
  const output = new PassThrough();
  const written = output.toArray();
  await serveMcp(mcpHost, Readable.from(chunks), output);
  output.end();
  return Buffer.concat(await written).toString();
}

export const asLines = (messages: readonly string[]): Buffer[] =>
  messages.map((message) => Buffer.from(`${message}\n`));

export const linesOf = (output: string): string[] =>
  output.split("\n").filter((line) => line !== "");
