import type { Client } from "../../../schemas/mcp-config.ts";
import { type ClientDefinition, replacesReferences } from "../client-definition.ts";
import { clientDefinitions } from "../clients/all-clients.ts";
import type { McpFindings } from "../config-findings.ts";
import { uniqueNames } from "../json-values.ts";
import {
  isReferenceName,
  REFERENCE_SYNTAXES,
  type ReferenceSyntax,
  variableForPlaceholder,
} from "../variable-references.ts";

/** Facts about the file that decide how the references in an entry are read. */
export interface FileContext {
  /** The key of the file that leads to the entry; undefined for an entry alone. */
  readonly key: string | undefined;
  /** The client whose file it is, if that is known. */
  readonly client?: Client | undefined;
  readonly variableFor: ReturnType<typeof promptVariables>;
}

/**
 * @param field of the input; in a script a shell replaces `$NAME` and `${NAME:-default}`.
 * @param findings at the path of the text.
 */
export type ParseString = (text: string, field: InputField, findings: McpFindings) => string;

type InputField = "command" | "args" | "script" | "env" | "headers" | "url";

/**
 * Reads the texts of an entry: a client's own form of a reference becomes `${NAME}`. If the file may
 * belong to several clients and only some replace `$NAME`, what looks like a reference is one.
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
  // `%APPDATA%` is in many files of other clients.
  const forms: readonly ReferenceSyntax[] = client ? ["$NAME", "%NAME%"] : ["$NAME"];
  return (text, field, findings) => {
    if (!/[$%{]/.test(text)) return text;
    let read = text.replace(/\$?\{env:([A-Za-z_]\w*)\}/g, "${$1}");
    read = read.replace(/\$\{input:([^{}]+)\}/g, (_, id: string) => {
      const name = variableFor(id, server);
      if (name !== id) findings.add("read-as/input", { id, name });
      return `\${${name}}`;
    });
    if (field === "script") return read;
    for (const form of forms) read = parseReferenceSyntax(read, form, field, clients, findings);
    return read;
  };
}

/**
 * Gives each prompt of VS Code, by its id, a variable of its own. An id that tells nothing gets the
 * name of the first server that has the prompt.
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

/** Reads a form of references that some of the clients replace. */
function parseReferenceSyntax(
  text: string,
  form: ReferenceSyntax,
  field: InputField,
  clients: readonly ClientDefinition[],
  findings: McpFindings,
): string {
  const replacing = clients.filter(
    (client) =>
      client.references?.forms?.includes(form) &&
      replacesReferences(client, { path: [field], value: "" }),
  );
  if (replacing.length === 0) return text;
  const isSure = replacing.length === clients.length;
  const unsure = new Set<string>();
  const read = text.replace(REFERENCE_SYNTAXES[form], (match, name: string, at: number) => {
    if (!isReferenceName(name)) return match;
    if (!isSure && !looksLikeReference(match, text[at - 1])) return match;
    if (!isSure) unsure.add(match);
    return `\${${name}}`;
  });
  if (unsure.size > 0) {
    const titles = replacing.map(({ title }) => title);
    findings.add("read-as", { found: [...unsure], titles });
  }
  return read;
}

/** True in `Bearer $GITHUB_PAT`, but not in the password `pa$word`. */
const looksLikeReference = (match: string, before = " "): boolean =>
  /^\$[A-Z][A-Z\d_]*$/.test(match) && /[\s/:="',]/.test(before);
