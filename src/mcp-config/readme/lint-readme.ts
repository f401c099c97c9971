import * as v from "valibot";
import { type McpConfigInput, mcpConfigContract } from "../../../schemas/mcp-config.ts";
import { groupBy } from "../../group-by.ts";
import { validate } from "../../validate.ts";
import { type InstallLink, installLinksIn } from "./install-links.ts";
import { startedServer } from "./started-server.ts";

/** A finding about an install link of a README. */
export interface ReadmeFinding {
  readonly code:
    | "unreadable-link"
    | "stripped-link"
    | "command-line"
    | "links-differ"
    | "other-server";
  /** `info`: works in its client all the same. */
  readonly severity: "info" | "warning";
  /** Of the link, from 1. */
  readonly line: number;
  /** In a sentence without its period. */
  readonly message: string;
}

/**
 * Checks the install links of a README: each must be readable by its client and kept by GitHub, and all
 * must start the same server.
 *
 * @param input the server that they should start, if it is known.
 * @throws {InvalidInputError} for an input that breaks its schema.
 *
 * @example
 * lintMcpReadme("[Add](cursor://anysphere.cursor-deeplink/mcp/install?name=a&config=e30=)");
 * // [{ code: "stripped-link", severity: "warning", line: 1, message: "GitHub drops …" }, …]
 */
export function lintMcpReadme(text: string, input?: McpConfigInput): ReadmeFinding[] {
  validate(v.string(), text);
  if (input !== undefined) validate(mcpConfigContract.input, input);
  const links = installLinksIn(text);
  const findings = [...links.flatMap(lintLink), ...differences(links)];
  if (input) findings.push(...links.flatMap((link) => differsFrom(input, link)));
  return findings.sort((one, other) => one.line - other.line);
}

function lintLink({ client, line, scheme, server, problem }: InstallLink): ReadmeFinding[] {
  const findings: ReadmeFinding[] = [];
  const add = (
    code: ReadmeFinding["code"],
    message: string,
    severity: ReadmeFinding["severity"] = "warning",
  ) => findings.push({ code, severity, line, message });
  if (scheme !== "https" && scheme !== "http") {
    add(
      "stripped-link",
      `GitHub drops a link with ${scheme}:, so the button of ${client} does nothing there`,
    );
  }
  if (problem !== undefined) {
    add("unreadable-link", `the button of ${client} cannot be read: ${problem}`);
  }
  if (server?.isCommandLine) {
    add(
      "command-line",
      `the button of ${client} has its whole command line in command; put each argument into args`,
      "info",
    );
  }
  return findings;
}

/** The links that start another server than the first of their kind. */
function differences(links: readonly InstallLink[]): ReadmeFinding[] {
  const readable = links.flatMap((link) => (link.server ? [{ ...link, server: link.server }] : []));
  const byClient = groupBy(readable, ({ client }) => client);
  const variants = [...byClient.values()].map(
    (ofOne) => new Set(ofOne.map(({ server }) => server.shown)).size,
  );
  // With one server a client, all should be the same; else those of one package are compared.
  const groups = variants.every((count) => count === 1)
    ? [readable]
    : [...groupBy(readable, ({ server }) => server.key).values()];
  return groups.flatMap((group) => {
    const clients = groupBy(group, ({ client }) => client);
    const sets = [...clients].map(([client, clientLinks]) => ({
      client,
      clientLinks,
      signatures: [...new Set(clientLinks.map(({ server }) => server.shown))].sort(),
    }));
    const [first, ...others] = sets;
    if (!first) return [];
    return others.flatMap(({ client, clientLinks: [link], signatures }): ReadmeFinding[] => {
      if (!link || signatures.join("\n") === first.signatures.join("\n")) return [];
      const message = `the button of ${client} starts "${link.server.shown}", that of ${first.client} "${first.clientLinks[0]?.server.shown}"`;
      return [{ code: "links-differ", severity: "warning", line: link.line, message }];
    });
  });
}

function differsFrom(
  input: McpConfigInput,
  { client, line, server }: InstallLink,
): ReadmeFinding[] {
  const wanted = startedServer(input);
  if (!server || server.shown === wanted.shown) return [];
  const message = `the button of ${client} starts "${server.shown}", not "${wanted.shown}"`;
  return [{ code: "other-server", severity: "warning", line, message }];
}
