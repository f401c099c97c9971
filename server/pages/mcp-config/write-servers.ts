import type { Warning } from "../../../schemas/index.ts";
import {
  type Client,
  type ClientConfig,
  extendedMcpConfigInput,
  type McpConfigInput,
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
import { asText, type FormValues } from "../form/form-values.ts";
import { getClient, listServers, WITH_VALUES } from "./server-form.ts";

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
  const client = getClient(form);
  const shown = rows[shownIndex];
  const names = new Set<string | undefined>();
  const configs = rows.flatMap((row) => {
    if (row.isAlternative) return [];
    const { input, transport } = row;
    const isTaken = names.has(input.name);
    names.add(input.name);
    if (isTaken && input.name)
      throw new InvalidInputError([{ path: "name", message: "must differ from the other names" }]);
    const written = client && needsVariables(form) ? withVariables(input, client) : input;
    try {
      return [
        {
          row,
          result: writeConfigsInParts(validate(extendedMcpConfigInput, written), {
            ...options,
            transport,
          }),
        },
      ];
    } catch (error) {
      if (row === shown || !(error instanceof InvalidInputError)) throw error;
      const [issue = { path: "", message: "" }] = error.issues;
      throw new InvalidInputError([
        { path: "", message: `“${input.name ?? ""}”: ${formatIssue(issue)}` },
      ]);
    }
  });
  const result = configs.find(({ row }) => row === shown)?.result;
  if (!result)
    throw new InvalidInputError([{ path: "name", message: "must be the name of a server" }]);
  return { result, extra: configs.map(({ result }) => result) };
}

/** Whether secrets become variables, because the file is for everybody in a project. */
export function needsVariables(form: FormValues): boolean {
  const client = getClient(form);
  return (
    client !== undefined &&
    asText(form.get("scope")) === "project" &&
    !form.has(WITH_VALUES) &&
    clientDefinitions[client].locations.some(({ scope }) => scope === "project")
  );
}

/** The variables for the secrets of a server, by their names. Empty where the client would keep a reference as text. */
export function variablesForSecrets(
  { name = "", url, env = {}, headers = {} }: Partial<McpConfigInput>,
  client: Client,
): ReadonlyMap<string, string> {
  const [list, values] = url === undefined ? ["env", env] : ["headers", headers];
  const server = { name, transport: url === undefined ? "stdio" : "http" } as const;
  return new Map(
    Object.entries(values).flatMap(([key, value]) => {
      const variable = variableForKey(server, key);
      const text = { path: [list, key], value: `\${${variable}}` };
      const isReplaced = replacesReferences(clientDefinitions[client], text);
      return holdsSecret(key, value) && isReplaced ? [[key, variable]] : [];
    }),
  );
}

function withVariables(input: Partial<McpConfigInput>, client: Client): Partial<McpConfigInput> {
  const references = [...variablesForSecrets(input, client)].map(([key, name]) => [
    key,
    `\${${name}}`,
  ]);
  if (references.length === 0) return input;
  const list = input.url === undefined ? "env" : "headers";
  return { ...input, [list]: { ...input[list], ...Object.fromEntries(references) } };
}

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
  const [first, ...others] = servers;
  return (first?.clients ?? []).map((config, index) => {
    const { client, title, source, verified, format, locations } = config;
    const configs = servers.flatMap(({ clients }) => clients[index] ?? []);
    const parts = servers.flatMap((server) => server.parts[index] ?? []);
    const notes = new Map(parts.flatMap((part) => part.notes).map((note) => [note.text, note]));
    const entries = configs.map(({ entry }) => entry);
    const isJson = format === "json";
    const prompts = new Map(
      parts.flatMap((part) => part.prompts).map((prompt) => [JSON.stringify(prompt), prompt]),
    );
    const file = isJson
      ? formatJsonFile(clientDefinitions[client].rootKey, entries.join(",\n"), [
          ...prompts.values(),
        ])
      : entries.join("\n");
    const lines = (shell: "bash" | "powershell") => {
      const all = configs.flatMap(({ install }) => install[shell] ?? []);
      return all.length === configs.length ? all.join("\n") : undefined;
    };
    return {
      ...{ client, title, source, verified, format, locations },
      file: others.length === 0 ? config.snippet : file,
      entry: entries.join(isJson ? ",\n" : "\n"),
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
