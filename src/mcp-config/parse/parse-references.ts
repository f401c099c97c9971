import type { Client } from "../../../schemas/mcp-config.ts";
import { type ClientDefinition, replacesReferences } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import type { McpFindings } from "../config-findings.ts";
import { uniqueNames } from "../json-values.ts";
import {
  isReferenceName,
  REFERENCE_SYNTAXES,
  type ReferenceSyntax,
  toCanonicalEnv,
  variableForPlaceholder,
} from "../variable-references.ts";

/** Facts about the file that affect how its references are read. */
export interface FileContext {
  /** The file's key that contains the entry. Undefined for a single entry. */
  readonly key: string | undefined;
  /** The client whose file it is, if known. */
  readonly client?: Client | undefined;
  readonly variableFor: ReturnType<typeof promptVariables>;
}

/**
 * @param field of the input. In a script, a shell replaces `$NAME` and `${NAME:-default}`.
 * @param findings at the path of the string.
 */
export type ParseString = (text: string, field: ParsedField, findings: McpFindings) => string;

type ParsedField = "command" | "args" | "script" | "env" | "headers" | "url";

/**
 * Rewrites each client's reference syntax as `${NAME}`. If several clients may own the file and
 * only some replace `$NAME`, anything that looks like a reference counts as one.
 */
export function referenceReader(
  server: string,
  { key, client, variableFor }: FileContext,
): ParseString {
  const clients = client
    ? [clientDefinitions[client]]
    : Object.values(clientDefinitions).filter(({ rootKey, file }) =>
        [undefined, rootKey, file?.projectsKey].includes(key),
      );
  // `%APPDATA%` is common in other clients' files.
  const syntaxes: readonly ReferenceSyntax[] = client ? ["$NAME", "%NAME%"] : ["$NAME"];
  return (text, field, findings) => {
    if (!/[$%{]/.test(text)) return text;
    let replaced = toCanonicalEnv(text).replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => {
      const name = variableFor(id, server);
      if (name !== id) findings.add("read-as/input", { id, name });
      return `\${${name}}`;
    });
    if (field === "script") return replaced;
    for (const syntax of syntaxes)
      replaced = parseReferenceSyntax(replaced, syntax, field, clients, findings);
    return replaced;
  };
}

/**
 * Maps each ID of a VS Code prompt to a variable. A generic ID gets the name of the first server
 * that uses it.
 */
export function promptVariables(): (id: string, server: string) => string {
  const unique = uniqueNames("_");
  const names = new Map<string, string>();
  return (id, server) => {
    const name =
      names.get(id) ?? unique(/^[A-Z_]+$/.test(id) ? id : variableForPlaceholder(server, id));
    names.set(id, name);
    return name;
  };
}

/** Parses a syntax that only some of the clients replace. */
function parseReferenceSyntax(
  text: string,
  syntax: ReferenceSyntax,
  field: ParsedField,
  clients: readonly ClientDefinition[],
  findings: McpFindings,
): string {
  const replacing = clients.filter(
    (client) =>
      client.references?.syntaxes?.includes(syntax) &&
      replacesReferences(client, { path: [field], value: "" }),
  );
  if (replacing.length === 0) return text;
  const isSure = replacing.length === clients.length;
  const unsure = new Set<string>();
  const replaced = text.replace(REFERENCE_SYNTAXES[syntax], (match, name: string, at: number) => {
    if (!isReferenceName(name)) return match;
    if (!isSure && !looksLikeReference(match, text[at - 1])) return match;
    if (!isSure) unsure.add(match);
    return `\${${name}}`;
  });
  if (unsure.size > 0) {
    const titles = replacing.map(({ title }) => title);
    findings.add("read-as", { found: [...unsure], titles });
  }
  return replaced;
}

/** True for `Bearer $GITHUB_PAT`, but not for the password `pa$word`. */
const looksLikeReference = (match: string, before = " "): boolean =>
  /^\$[A-Z][A-Z\d_]*$/.test(match) && /[\s/:="',]/.test(before);
