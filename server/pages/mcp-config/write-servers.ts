import { type Client, extendedMcpConfigInput } from "../../../schemas/mcp-config.ts";
import { formatProblem, InvalidInputError, validate } from "../../../src/issues.ts";
import { replacesReferences } from "../../../src/mcp-config/client-definition.ts";
import { clientDefinitions } from "../../../src/mcp-config/clients/all-clients.ts";
import {
  type McpConfigInParts,
  mcpConfigTool,
  writeConfigsInParts,
} from "../../../src/mcp-config/mcp-config.ts";
import { listServerStrings, mapStrings } from "../../../src/mcp-config/mcp-server.ts";
import { findPlaceholder } from "../../../src/mcp-config/placeholders.ts";
import { holdsSecret } from "../../../src/mcp-config/secrets.ts";
import {
  parseBearerReference,
  variableForKey,
} from "../../../src/mcp-config/variable-references.ts";
import { formatJsonFile } from "../../../src/mcp-config/write-json-toml.ts";
import type { RunOptions } from "../../../src/tool.ts";
import type { FormValues } from "../form/form-values.ts";
import {
  getClient,
  isFilled,
  listSecrets,
  listServers,
  SECRETS,
  type ServerRow,
} from "./server-form.ts";

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
    if (row.isAlternative || !isFilled(row)) return undefined;
    const { name } = row.input;
    if (name && names.has(name))
      throw new InvalidInputError([
        { path: ["name"], message: "must differ from the other names" },
      ]);
    names.add(name);
    try {
      const input = validate(extendedMcpConfigInput, replaceSecrets(row.input, form).input);
      return writeConfigsInParts(input, {
        ...options,
        transport: row.transport,
        // Without scripts, the page does not say that shell histories keep them.
        commandsHoldSecrets: getClient(form) !== undefined,
      });
    } catch (error) {
      if (index === shownIndex || !(error instanceof InvalidInputError)) throw error;
      const [problem = { path: [], message: "" }] = error.problems;
      throw new InvalidInputError([
        { path: [], message: `“${name ?? ""}”: ${formatProblem(problem)}` },
      ]);
    }
  });
  const extra = configs.filter((config) => config !== undefined);
  const result = configs[shownIndex] ?? extra[0];
  if (!result)
    throw new InvalidInputError([{ path: ["name"], message: "must be the name of a server" }]);
  return { result, extra };
}

/**
 * Replaces values of a server by variables if the user wants them, and secrets in a file that everybody in
 * a project can read. A client that keeps a reference as text gets the values.
 *
 * @returns the server, and the names of its variables and of the secrets that it still holds.
 */
export function replaceSecrets(input: ServerRow["input"], form: FormValues) {
  const client = getClient(form);
  const isForProject = client && form.get("scope") === "project" && hasProjectFile(client);
  const wanted = form.get(SECRETS) ?? (isForProject ? "variables" : "values");
  const server = { name: input.name ?? "", transport: input.url ? "http" : "stdio" } as const;
  const variables: string[] = [];
  const replaced = mapStrings(input, (value, path) => {
    const [list, key] = path.map(String);
    if (!client || wanted === "values" || !key || (list !== "env" && list !== "headers"))
      return value;
    const isSecret = value === "" || holdsSecret(key, value);
    if (wanted === "all" ? parseBearerReference(value) : !isSecret) return value;
    const variable = variableForKey(server, key);
    const reference = `\${${variable}}`;
    if (!replacesReferences(clientDefinitions[client], { path, value: reference })) return value;
    variables.push(variable);
    return reference;
  });
  return { input: replaced, variables, secrets: listSecrets(replaced) };
}

/**
 * Finds what a user has to write in place of a blank value, which is "" here, or of a placeholder,
 * such as YOUR_API_KEY.
 */
export const findMissing = (form: FormValues, rows: readonly Pick<ServerRow, "input">[]) =>
  rows
    .flatMap(({ input }) => listServerStrings(replaceSecrets(input, form).input))
    .flatMap(({ path, value }) => {
      const [, key] = path;
      const isBlank = typeof key === "string" && value === "";
      const text = isBlank ? "" : findPlaceholder(value, `${key}`);
      return text === undefined ? [] : [{ path, text }];
    });

/** Whether a client has a file that the users of a project share. */
export const hasProjectFile = (client: Client): boolean =>
  clientDefinitions[client].locations.some(({ scope }) => scope === "project");

export type ClientFile = ReturnType<typeof joinConfigs>[number];

/** Joins the configs of all servers, for each client. */
export function joinConfigs(servers: readonly McpConfigInParts[]) {
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
    return {
      ...{ client, title, source, verified, format, locations },
      fileText: format === "json" ? formatJsonFile(rootKey, entry, [...prompts.values()]) : entry,
      /** The same for a file that has other servers. */
      entry,
      /** The commands that add all servers. */
      commands: (["bash", "powershell"] as const).flatMap((shell) => {
        const all = configs.flatMap(({ install }) => install[shell] ?? []);
        return all.length === configs.length ? [{ shell, text: all.join("\n\n") }] : [];
      }),
      links: servers.flatMap(({ name, clients }) => {
        const link = clients[index]?.install.link;
        return link === undefined ? [] : [{ name, link }];
      }),
      /** The servers without a link, because it would contain a value or a secret. */
      withoutLink: servers.flatMap(({ name, parts }) => {
        const isWithout = parts[index]?.notes.some(({ about }) => about.startsWith("link"));
        return isWithout ? [name] : [];
      }),
      notes: [...notes.values()],
      warnings: servers.flatMap(({ name, warnings }) =>
        warnings
          .filter(({ path: [field, at] }) => field === "clients" && at === index)
          .map(({ severity, message }) => ({
            severity,
            message: servers.length > 1 ? `“${name}”: ${message}` : message,
          })),
      ),
      count: servers.length,
    };
  });
}
