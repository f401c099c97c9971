import type { Contract } from "../../schemas/index.ts";
import { callTool } from "../../src/index.ts";

/** The paths of the tools, spelt out: they are what clients have in their code. */
export const PATHS = {
  mail_filter_generator: "/api/tools/mail-filter-generator",
  automation_cost_calculator: "/api/tools/automation-cost-calculator",
  mcp_config_generator: "/api/tools/mcp-config-generator",
} as const;

export const MCP = PATHS.mcp_config_generator;
export const COST = PATHS.automation_cost_calculator;

/** A small input of the MCP config generator. */
export const MCP_INPUT = JSON.stringify({ name: "files", command: "npx" });

export const asQuery = (input: string): string => `?input=${encodeURIComponent(input)}`;

/** Each byte as %XX, three times as long as the text. */
export const fullyEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

/** What a POST of this body sends. */
export const jsonPost = (
  body: string | Uint8Array<ArrayBuffer>,
  type = "application/json",
): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": type },
  body,
});

/** The bytes of a request on a raw connection. */
export const rawPost = (path: string, body: string | Uint8Array, headers = ""): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    ),
    Buffer.from(body),
  ]);

/** The result as the library gives it, in JSON. */
export function libraryResult({ name }: Pick<Contract, "name">, input: unknown): string {
  const outcome = callTool(name, input);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return JSON.stringify(outcome.value);
}

/** Input of the MCP config generator that is valid and has exactly so many bytes. */
export function inputOfBytes(size: number, filler = "a"): string {
  const withArgs = (args: readonly string[]) =>
    JSON.stringify({ name: "files", command: "npx", args });
  const args = Array.from({ length: 32 }, () => filler.repeat(500 / Buffer.byteLength(filler)));
  const missing = size - Buffer.byteLength(withArgs([...args, ""]));
  return withArgs([...args, "b".repeat(missing)]);
}
