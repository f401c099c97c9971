import type { Warning } from "../../../schemas/index.ts";
import {
  type Client,
  type ClientConfig,
  extendedMcpConfigInput,
} from "../../../schemas/mcp-config.ts";
import { formatIssue, InvalidInputError, validate } from "../../../src/issues.ts";
import { type ClientNote, replacesReferences } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import {
  type McpConfigInParts,
  mcpConfigTool,
  writeConfigsInParts,
} from "../../../src/mcp-config/mcp-config.ts";
import { holdsSecret } from "../../../src/mcp-config/secrets.ts";
import { variableForKey } from "../../../src/mcp-config/variable-references.ts";
import { formatJsonFile } from "../../../src/mcp-config/write-json-toml.ts";
import type { RunOptions } from "../../../src/tool.ts";
import type { FormValues } from "../form/form-values.ts";
import { getClient, listServers, type ServerRow, WITH_VALUES } from "./server-form.ts";

/** The tool as the page runs it: each server is analysed once, for its configs and their notes. */
export const mcpPageTool = { ...mcpConfigTool, run: writeConfigsInParts };

/**
 * Writes all servers of a form.
 *
 * @returns the results of the open server and of all servers.
 * @throws {InvalidInputError} for a server that cannot be written, and for two of one name.
 */
export function writeServers(form: FormValues, options: RunOptions) {
  const { rows, shownIndex } = listServers(form);
  const names = new Set<string | undefined>();
  const configs = rows.map((row, index) => {
    if (row.isAlternative) return undefined;
    const { name } = row.input;
    if (name && names.has(name))
      throw new InvalidInputError([{ path: "name", message: "must differ from the other names" }]);
    names.add(name);
    try {
      const input = validate(extendedMcpConfigInput, replaceSecrets(row.input, form).input);
      return writeConfigsInParts(input, { ...options, transport: row.transport });
    } catch (error) {
      if (index === shownIndex || !(error instanceof InvalidInputError)) throw error;
      const [issue = { path: "", message: "" }] = error.issues;
      throw new InvalidInputError([
        { path: "", message: `“${name ?? ""}”: ${formatIssue(issue)}` },
      ]);
    }
  });
  const result = configs[shownIndex];
  if (!result)
    throw new InvalidInputError([{ path: "name", message: "must be the name of a server" }]);
  return { result, extra: configs.filter((config) => config !== undefined) };
}

/**
 * Replaces the secrets of a server by variables in a file that everybody in a project can read, unless
 * the client would keep a reference as text or the user wants the values.
 *
 * @returns the server, and the names of its variables.
 */
export function replaceSecrets(input: ServerRow["input"], form: FormValues) {
  const client = getClient(form);
  const list = input.url === undefined ? "env" : "headers";
  const variables: string[] = [];
  if (
    !client ||
    form.get("scope") !== "project" ||
    form.has(WITH_VALUES) ||
    !hasProjectFile(client)
  )
    return { input, variables };
  const server = {
    name: input.name ?? "",
    transport: list === "env" ? "stdio" : "http",
  } as const;
  const values = Object.entries(input[list] ?? {}).map(([key, value]) => {
    const variable = variableForKey(server, key);
    const reference = { path: [list, key], value: `\${${variable}}` };
    if (!holdsSecret(key, value) || !replacesReferences(clientDefinitions[client], reference))
      return [key, value];
    variables.push(variable);
    return [key, reference.value];
  });
  return {
    input: variables.length > 0 ? { ...input, [list]: Object.fromEntries(values) } : input,
    variables,
  };
}

/** Whether a client has a file that the users of a project share. */
export const hasProjectFile = (client: Client): boolean =>
  clientDefinitions[client].locations.some(({ scope }) => scope === "project");

/** A client's file and commands for one or several servers. */
export interface ClientFile
  extends Pick<ClientConfig, "client" | "title" | "source" | "verified" | "format" | "locations"> {
  /** The whole file. */
  readonly file: string;
  /** The same for a file that has other servers. */
  readonly entry: string;
  readonly bash: string | undefined;
  readonly powershell: string | undefined;
  readonly links: readonly { readonly name: string; readonly link: string }[];
  readonly notes: readonly ClientNote[];
  readonly warnings: readonly Warning[];
  readonly count: number;
}

/** Joins the configs of all servers, for each client. */
export function joinConfigs(servers: readonly McpConfigInParts[]): readonly ClientFile[] {
  const [first] = servers;
  return (first?.clients ?? []).map((config, index) => {
    const { client, title, source, verified, format, locations } = config;
    const configs = servers.flatMap(({ clients }) => clients[index] ?? []);
    const parts = servers.flatMap((server) => server.parts[index] ?? []);
    const notes = new Map(parts.flatMap((part) => part.notes).map((note) => [note.text, note]));
    const entry = configs.map((server) => server.entry).join(format === "json" ? ",\n" : "\n");
    const prompts = new Map(
      parts.flatMap((part) => part.prompts).map((prompt) => [JSON.stringify(prompt), prompt]),
    );
    const { rootKey } = clientDefinitions[client];
    const lines = (shell: "bash" | "powershell") => {
      const all = configs.flatMap(({ install }) => install[shell] ?? []);
      return all.length === configs.length ? all.join("\n") : undefined;
    };
    return {
      ...{ client, title, source, verified, format, locations },
      file: format === "json" ? formatJsonFile(rootKey, entry, [...prompts.values()]) : entry,
      entry,
      bash: lines("bash"),
      powershell: lines("powershell"),
      links: servers.flatMap(({ name, clients }) => {
        const link = clients[index]?.install.link;
        return link === undefined ? [] : [{ name, link }];
      }),
      notes: [...notes.values()],
      warnings: servers.flatMap((server) =>
        server.warnings.filter(({ path }) => path === `clients[${index}]`),
      ),
      count: servers.length,
    };
  });
}
