import { isAbsolute, relative, resolve, sep } from "node:path";
import { Option } from "commander";
import { ALL_CLIENTS, type Client, type ClientLocation } from "../../schemas/mcp-config.ts";
import type { ClientDefinition } from "../../src/mcp-config/client-definition.ts";
import { UsageError } from "../cli-error.ts";
import { isStandardInput } from "../files/read-file.ts";
import type { Io } from "../io.ts";
import { repeatableChoiceOption, valueOption } from "../options.ts";

const SCOPES = ["user", "project"] as const;
export type Scope = (typeof SCOPES)[number];

/** Options that choose clients' files. */
export const targetOptions = (): readonly Option[] =>
  [
    repeatableChoiceOption("--client <name>", "the AI client. Repeatable.", ALL_CLIENTS),
    new Option("--scope <name>", "its user config (default) or its project config").choices(SCOPES),
    valueOption("--config-file <path>", "this file instead of the client's usual one", (path) => {
      if (path === "") return "must not be empty";
      return isStandardInput(path) ? "must be a file, not standard input" : undefined;
    }),
  ].map((option) => option.helpGroup("Files:"));

export interface TargetFlags {
  readonly client?: readonly Client[];
  readonly scope?: Scope;
  readonly configFile?: string;
}

/** @throws {UsageError} if the file's client is unclear. */
export function rejectConflictingFlags({ client = [], scope, configFile }: TargetFlags): void {
  if (configFile !== undefined && client.length !== 1) {
    throw new UsageError(["--config-file: needs one --client, for the format of the file"]);
  }
  if (configFile !== undefined && scope) {
    throw new UsageError(["--config-file: cannot be used with --scope"]);
  }
}

/** @throws {UsageError} if no client is named, or the file's client is unclear. */
export function requireClients(target: TargetFlags): readonly Client[] {
  rejectConflictingFlags(target);
  if (target.client) return target.client;
  throw new UsageError([
    "--client: name a client, such as --client cursor; handtools mcp list shows what each has",
  ]);
}

/** The scopes in which the client has a file on this OS, or the chosen one if it has. */
export const listScopes = (
  { locations }: ClientDefinition,
  { scope: chosen }: TargetFlags,
  io: Io,
): readonly Scope[] =>
  (chosen ? [chosen] : SCOPES).filter((scope) =>
    locations.some((location) => location.scope === scope && location.os === detectSystem(io)),
  );

/**
 * Finds the client's file to edit: the first that exists, else a new one.
 *
 * @throws {UsageError} if the client has no file of this scope, or a link leaves the project.
 */
export async function fileToEdit(client: ClientDefinition, target: TargetFlags, io: Io) {
  const { configFile, scope: chosenScope } = target;
  if (configFile !== undefined) {
    const path = await resolveLinks(configFile, io);
    return { path, scope: undefined, inProject: (await pathInProject(path, io)) !== undefined };
  }
  const scope = chosenScope ?? listScopes(client, target, io)[0] ?? "user";
  const [path] = await clientFiles(client, scope, io);
  if (path !== undefined) return { path, scope, inProject: scope === "project" };
  throw new UsageError([`${client.title} has no ${scope} file on this system; use --config-file`]);
}

/**
 * Lists the files that a client reads on this OS, with links resolved: the existing files (perhaps
 * both .json and .jsonc), else the file to create.
 *
 * @throws {UsageError} if a link leaves the project, or the environment does not name a folder.
 */
export async function clientFiles(
  client: ClientDefinition,
  scope: Scope,
  io: Io,
): Promise<readonly string[]> {
  const paths = documentedPaths(client, scope, io).map((path) => {
    const expanded = expandHome(path, io);
    if (expanded !== undefined) return expanded;
    const [, name = "HOME"] = HOME_FOLDER.exec(path) ?? [];
    throw new UsageError([
      `${path}: the environment variable ${name} is not set; set it, or use --config-file`,
    ]);
  });
  const follow = scope === "project" ? resolveProjectLinks : resolveLinks;
  const real = await Promise.all(paths.map((path) => follow(path, io)));
  const fileExists = await Promise.all(real.map((path) => io.exists(path)));
  const existing = [...new Set(real.filter((_, index) => fileExists[index]))];
  if (client.file?.readsOnlyFirst) return [...existing, ...real].slice(0, 1);
  return existing.length > 0 ? existing : real.slice(-1);
}

/** The client's user files on this OS, whether or not they exist. */
export const userPaths = (client: ClientDefinition, io: Io): readonly string[] =>
  documentedPaths(client, "user", io).flatMap((path) => expandHome(path, io) ?? []);

/** The paths on this OS, in which `~` and `%APPDATA%` stand for the user's folders. */
const documentedPaths = (client: ClientDefinition, scope: Scope, io: Io): readonly string[] =>
  client.locations
    .filter((location) => location.scope === scope && location.os === detectSystem(io))
    .map((location) => applyHomeVariable(client, location, io));

/** Resolves links. A path without links is returned unchanged. */
export async function resolveLinks(path: string, io: Io): Promise<string> {
  const real = await io.realPath(path);
  return real === resolve(path) ? path : real;
}

/**
 * Resolves links inside the project. A hostile checkout may contain links to other files.
 *
 * @throws {UsageError} if the link leaves the working directory.
 */
async function resolveProjectLinks(path: string, io: Io): Promise<string> {
  const inProject = await pathInProject(path, io);
  if (inProject !== undefined) return inProject;
  const real = await io.realPath(path);
  throw new UsageError([
    `${path}: links to ${real}, outside this project. To edit that file, use --config-file ${real}`,
  ]);
}

/** Resolves links to a path relative to the working directory. Undefined if it is outside. */
async function pathInProject(path: string, io: Io): Promise<string | undefined> {
  const inProject = relative(await io.realPath("."), await io.realPath(path));
  return isAbsolute(inProject) || inProject.split(sep)[0] === ".." ? undefined : inProject;
}

const detectSystem = ({ platform }: Io): "macos" | "windows" | "linux" =>
  platform === "darwin" ? "macos" : platform === "win32" ? "windows" : "linux";

/** Moves the path to the folder in the client's environment variable, if set. */
function applyHomeVariable(
  { home }: ClientDefinition,
  { scope, os, path }: ClientLocation,
  { environment }: Io,
): string {
  if (scope !== "user") return path;
  for (const {
    name,
    folder: { [os]: folder },
    mustBeAbsolute,
  } of home ?? []) {
    const value = environment[name];
    if (!value || folder === undefined || !path.startsWith(folder)) continue;
    if (mustBeAbsolute && !isAbsolute(value)) continue;
    return value.replace(/[\\/]$/, "") + path.slice(folder.length);
  }
  return path;
}

/** Replaces `~` and `%APPDATA%` with the user's folders. Undefined if none is set. */
function expandHome(path: string, { environment }: Io): string | undefined {
  const [start = "", name = "HOME"] = HOME_FOLDER.exec(path) ?? [];
  if (start === "") return path;
  const folder = environment[name];
  return folder ? folder + path.slice(start.length) : undefined;
}

/** `~`, or a Windows variable. */
const HOME_FOLDER = /^(?:~(?=\/)|%(\w+)%)/;
