import * as v from "valibot";
import { closedObject, recordOf, toServerName } from "../../../schemas/common.ts";
import { type McpConfigResult, mcpConfigContract } from "../../../schemas/mcp-config.ts";
import { Findings } from "../../findings.ts";
import { InvalidInputError, validate } from "../../issues.ts";
import { JsonTextError, parseJsonTree } from "../../json-tree.ts";
import { type McpFindings, mcpFindings, reject } from "../config-findings.ts";
import {
  type ParsedServer,
  parseServer,
  type ServerVariable,
  type UnnamedInput,
} from "../mcp-server.ts";
import { formatServers, type RawMcpConfig } from "../parse/parse-found-servers.ts";
import { findDistinctiveName } from "../server-name.ts";
import { percentEncodeReferences } from "../variable-references.ts";
import {
  findManifest,
  isNoVersion,
  isTemplate,
  isUrlTemplate,
  type ManifestPackage,
  type ManifestRemote,
  ManifestSchema,
  PackageSchema,
  RemoteSchema,
  schemaDate,
} from "./manifest.ts";
import { VariableResolver } from "./manifest-values.ts";
import { findOtherRegistry, RUNNERS, toPackageCommand } from "./package-command.ts";

/** A registry manifest as an input. */
export interface ParsedServerJson {
  /**
   * The chosen way to run the server, within the extended limits. The user's values are references.
   */
  readonly servers: ParsedServer[];
  /** The values of the references. */
  readonly variables: ServerVariable[];
  /** All ways to run the server, the chosen one first. */
  readonly ways: { readonly via: string; readonly identifier: string }[];
  /** Packages that no client can start, and optional variables without a value. */
  readonly left_out: { readonly name: string; readonly reason: string }[];
  readonly warnings: McpConfigResult["warnings"];
}

/** Choices that a manifest leaves open. */
export interface ServerJsonOptions {
  /** The way to run the server: `npm`, `pypi`, `oci`, `nuget` or `remote`. */
  readonly via?: string | undefined;
  /** Values of variables, by name. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** A different name for the server. */
  readonly name?: string | undefined;
  /**
   * Whether to keep the version of an npm, PyPI or NuGet package, by default true. With false the newest
   * one starts. An image always keeps its tag.
   */
  readonly pinVersion?: boolean | undefined;
}

/**
 * Reads a server.json, the manifest of the MCP registry: its package or remote that runs anywhere.
 * Required values become references, `${NAME}`. Optional values without a default are skipped.
 *
 * Supports the schemas from 2025-07-09 to 2025-12-11:
 * https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json.
 *
 * @throws {InvalidInputError} for another file, or if the manifest has no way to run the server.
 *
 * @example
 * parseServerJson('{ "name": "io.github.me/files", "packages": [{ "registryType": "npm", "identifier": "files", "version": "1.0.0", "transport": { "type": "stdio" } }] }');
 * // servers: [{ input: { name: "files", command: "npx", args: ["-y", "files@1.0.0"] }, transport: "stdio" … }]
 */
export function parseServerJson(text: string, options: ServerJsonOptions = {}): ParsedServerJson {
  validate(v.string(), text);
  validate(ServerJsonOptionsSchema, options, ["options"]);
  return formatServers(readIfServerJson(text, options) ?? reject("no-server-json"));
}

type RawServerJson = RawMcpConfig<ParsedServerJson>;

const ServerJsonOptionsSchema = closedObject({
  via: v.optional(v.string()),
  variables: v.optional(recordOf(v.string())),
  name: v.optional(v.string()),
  pinVersion: v.optional(v.boolean()),
});

/**
 * Like `parseServerJson`, but returns undefined for another file.
 *
 * @throws {InvalidInputError} if the manifest has no way to run the server.
 */
export function readIfServerJson(
  text: string,
  options: ServerJsonOptions = {},
): RawServerJson | undefined {
  try {
    const manifest = findManifest(parseJsonTree(text).value);
    return manifest === undefined ? undefined : readManifest(manifest, options);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}

function readManifest(value: unknown, options: ServerJsonOptions): RawServerJson {
  const manifest = validate(ManifestSchema, value);
  const findings: McpFindings = new Findings(mcpFindings);
  const date = schemaDate(manifest.$schema);
  if (date > LATEST_SCHEMA) {
    findings.at("$schema").add("manifest-unclear/schema", { date, latest: LATEST_SCHEMA });
  }
  const left_out: { name: string; reason: string }[] = [];
  const launches = findLaunches(manifest, options.pinVersion ?? true, left_out).sort(
    (one, other) => one.rank - other.rank,
  );
  const { via: wanted } = options;
  const chosen = launches.find(({ via }) => !wanted || via === wanted);
  const available = [...new Set(launches.map(({ via }) => via))];
  if (!chosen) {
    if (wanted && available.length > 0)
      return reject("package-not-there", { wanted, available, left_out });
    return left_out.length > 0 ? reject("no-package", { left_out }) : reject("no-way");
  }

  const at = findings.at(...chosen.path);
  const last = manifest.name.split("/").at(-1) ?? "";
  const name = options.name ?? findDistinctiveName(manifest.name) ?? toServerName(last) ?? "server";
  const inputs = new VariableResolver(name, options.variables ?? {}, at);
  const run = chosen.run(inputs, at);
  inputs.rejectUnknownValues();
  const server = validate(mcpConfigContract.extended_input, { name, ...run });
  const { transport } = parseServer(server, chosen.transport);

  const others = available.filter((via) => via !== chosen.via);
  if (others.length > 0) at.add("package-chosen", { identifier: chosen.identifier, others });
  for (const entry of left_out) findings.add("left-out/package", entry);
  const omitted = [...inputs.omitted];
  for (const name of omitted) left_out.push({ name, reason: "is optional and has no value" });
  if (omitted.length > 0) at.add("left-out/optional", { names: omitted });
  const asked = [...inputs.asked.values()];
  for (const { name, secret, value } of asked) {
    if (secret && value !== undefined) at.add("read-as/secret", { name });
  }
  return {
    servers: [{ input: server, transport, path: chosen.path }],
    variables: asked,
    ways: [chosen, ...launches.filter((launch) => launch !== chosen)].map(
      ({ via, identifier }) => ({ via, identifier }),
    ),
    left_out,
    warnings: [...findings.warnings],
  };
}

/** A package or remote that runs the server. */
interface Launch {
  readonly via: string;
  readonly identifier: string;
  readonly path: readonly [string, number];
  /** The lowest rank is the default. */
  readonly rank: number;
  /** Set if the remote uses SSE. */
  readonly transport?: "sse";
  /** Returns the command or URL, with references for the user's values. */
  readonly run: (inputs: VariableResolver, findings: McpFindings) => UnnamedInput;
}

const LATEST_SCHEMA = "2025-12-11";

/** Finds usable packages and remotes. Adds the others to `left_out`. */
function findLaunches(
  { $schema, packages, remotes }: v.InferOutput<typeof ManifestSchema>,
  pinned: boolean,
  left_out: { name: string; reason: string }[],
): Launch[] {
  const usable = (
    list: string,
    values: unknown[],
    read: (value: unknown) => Omit<Launch, "path">,
  ) =>
    values.flatMap((value, index): Launch[] => {
      try {
        return [{ path: [list, index], ...read(value) }];
      } catch (error) {
        if (!(error instanceof InvalidInputError)) throw error;
        left_out.push({ name: `${list}[${index}]`, reason: error.message });
        return [];
      }
    });
  return [
    ...usable("packages", packages, (value) =>
      packageLaunch(validate(PackageSchema, value), schemaDate($schema) < LATEST_SCHEMA, pinned),
    ),
    ...usable("remotes", remotes, (value) => remoteLaunch(validate(RemoteSchema, value))),
  ];
}

function packageLaunch(
  given: ManifestPackage,
  hasOldSchema: boolean,
  pinned: boolean,
): Omit<Launch, "path"> {
  const { registryType, transport } = given;
  const [, name = "", tag = ""] = /^(.*?)(?::([^:/]*))?$/s.exec(given.identifier) ?? [];
  const template = [given.version ?? "", tag].find(isNoVersion);
  const identifier = isNoVersion(tag) ? name : given.identifier;
  const isLeftOut = template !== undefined || !(pinned || registryType === "oci");
  const version = isLeftOut ? undefined : given.version;
  if (isTemplate(identifier)) reject("template", { part: identifier });
  const runner = RUNNERS.get(registryType);
  if (!runner) return reject("package-kind", { kind: registryType, identifier });
  const registry = findOtherRegistry(given, runner.registries);
  // An image's name begins with its registry.
  if (registry !== undefined && registryType !== "oci") {
    const { command, registries } = runner;
    reject("registry-other", { identifier, registry, command, usual: registries[0] ?? "" });
  }
  if (transport && transport.type !== "stdio") {
    reject("not-started-by-clients", { identifier, transport: transport.type });
  }
  return {
    via: registryType,
    identifier,
    rank: 1,
    run(inputs, findings) {
      if (template !== undefined) findings.add("manifest-version", { version: template });
      return toPackageCommand({ ...given, identifier, version }, runner, hasOldSchema, inputs);
    },
  };
}

function remoteLaunch(remote: ManifestRemote): Omit<Launch, "path"> {
  const { type, url } = remote;
  if (isUrlTemplate(url)) reject("template", { part: url });
  if (type !== "streamable-http" && type !== "sse") reject("transport-unknown", { type });
  const isUsual = type === "streamable-http" && /^https:\/\/[^/{]*(?:[/]|$)/i.test(url);
  return {
    via: "remote",
    identifier: url,
    rank: isUsual ? 0 : type === "sse" ? 3 : 2,
    ...(type === "sse" && { transport: "sse" }),
    run: (inputs) => toRemoteServer(remote, inputs),
  };
}

function toRemoteServer(
  { url, headers = [], variables: known = {} }: ManifestRemote,
  inputs: VariableResolver,
): UnnamedInput {
  const names = Array.from(url.matchAll(/\{([A-Za-z_][\w.-]*)\}/g), ([, name = ""]) => name);
  const variables = Object.fromEntries(names.map((name) => [name, known[name] ?? {}]));
  const filled = percentEncodeReferences(inputs.fill(url, { variables, isRequired: true }) ?? url);
  const [, host] = /^https?:\/\/[^/?#]*%24%7B(\w+)%7D/i.exec(filled) ?? [];
  if (host !== undefined) reject("host-not-set", { url, host });
  const pairs = headers.flatMap(({ name, ...field }) => {
    const text = inputs.textOf(name, field);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { url: filled, ...(pairs.length > 0 && { headers: Object.fromEntries(pairs) }) };
}
