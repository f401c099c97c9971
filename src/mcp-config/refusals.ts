import type { ValidMcpConfigInput } from "../../schemas/mcp-config.ts";
import type { Findings } from "../issues.ts";
import { type Server, type StringMap, textsOf } from "./server.ts";
import { parseUrl } from "./url.ts";

/** Refuses what no client could pass on as it was written. */
export function refuseUnusable(
  input: ValidMcpConfigInput,
  server: Server,
  findings: Findings,
): void {
  refuseMisplaced(input, findings);
  if (server.name === "__proto__") findings.refuse(["name"], LOST);
  for (const { path, value } of textsOf(server)) {
    if (value.includes("\0")) findings.refuse(path, "must not have a NUL character");
    if (!value.isWellFormed()) findings.refuse(path, "must not have half of a surrogate pair");
  }
  if (server.transport === "http") {
    refuseUrl(server.url, findings);
    refuseHeaders(server.headers, findings);
    return;
  }
  if (server.command.trim() === "") findings.refuse(["command"], "must not be blank");
  if (Object.hasOwn(server.env, "__proto__")) findings.refuse(["env", "__proto__"], LOST);
}

const LOST = "must not be named __proto__, which clients lose when they read the file";

/** Codex does not start at all when an entry has the fields of the other transport. */
function refuseMisplaced(input: ValidMcpConfigInput, findings: Findings): void {
  const { command, args = [], env = {}, headers = {} } = input;
  if (command === undefined) {
    if (args.length > 0) {
      findings.refuse(["args"], "must be left out with url: a remote server is not started");
    }
    if (Object.keys(env).length > 0) {
      findings.refuse(["env"], "must be left out with url: a remote server takes headers");
    }
  } else if (Object.keys(headers).length > 0) {
    findings.refuse(["headers"], "must be left out with command: a local server takes env");
  }
}

function refuseUrl(text: string, findings: Findings): void {
  const url = parseUrl(text);
  if (!/^https?:/i.test(text)) {
    findings.refuse(["url"], "must start with http:// or https://");
  } else if (!/^https?:\/\/[^/?#]/i.test(text) || !url) {
    findings.refuse(
      ["url"],
      "must have a host and no impossible port, as in https://example.com/mcp",
    );
  } else if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    findings.refuse(["url"], "must not have a user or password; use an Authorization header");
  }
}

function refuseHeaders(headers: StringMap, findings: Findings): void {
  const seen = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const same = seen.get(name.toLowerCase());
    if (same !== undefined) {
      findings.refuse(["headers", name], `is the same header as ${same}; keep one of them`);
    }
    seen.set(name.toLowerCase(), name);
    // Claude Code sends "é" as Latin-1, Codex as UTF-8; Codex drops a header with a control character.
    if (!/^[\t -~]*$/.test(value)) {
      findings.refuse(
        ["headers", name],
        "must have only ASCII characters and no control character",
      );
    }
  }
}
