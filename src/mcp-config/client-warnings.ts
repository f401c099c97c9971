import type { Findings } from "../issues.ts";
import { formatPath, type Path } from "../issues.ts";
import type { ClientRow } from "./clients/client.ts";
import { quoted } from "./json.ts";
import { type Server, textsOf } from "./server.ts";

/**
 * Warns of what this client would do to the server.
 *
 * @param path the client's place in the result.
 */
export function warnOfClient(row: ClientRow, server: Server, findings: Findings, path: Path): void {
  if (row.reservedNames?.includes(server.name)) {
    const message = `${row.title} keeps the name ${server.name} for itself and does not load this server; choose another`;
    findings.warn("reserved-name", path, message);
  }
  const variables = replacedVariables(row, server);
  if (variables.length > 0) {
    const message = `${row.title} takes ${variables.join(", ")} for a variable and puts its value there, and the other clients may not; write the value itself to be sure`;
    findings.warn("variable-expansion", path, message);
  }
  const paths = rewrittenPaths(row, server);
  if (paths.length > 0) {
    const message = `${row.title} makes an absolute path of ${paths.join(", ")}, and other clients do not; write the whole path`;
    findings.warn("path-rewritten", path, message);
  }
  row.check?.(server, findings, path);
}

function replacedVariables({ variables }: ClientRow, server: Server): string[] {
  if (!variables) return [];
  return textsOf(server).flatMap(({ path, value }) =>
    Array.from(value.matchAll(variables), ([text]) => `${quoted(text)} in ${formatPath(path)}`),
  );
}

function rewrittenPaths({ rewrittenPaths: rule }: ClientRow, server: Server): string[] {
  if (!rule) return [];
  return textsOf(server)
    .filter(({ path, value }) => rule.fields.includes(String(path[0])) && rule.pattern.test(value))
    .map(({ path }) => formatPath(path));
}
