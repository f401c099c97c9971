import { ENV_OPTION } from "../container-warnings.ts";
import type { UnnamedInput } from "../mcp-server.ts";
import { upperSnake } from "../variable-references.ts";
import type { ManifestField, ManifestPackage } from "./manifest.ts";
import type { VariableResolver } from "./manifest-values.ts";

interface PackageRunner {
  readonly command: string;
  /** The names that manifests use for its registry. */
  readonly registries: readonly string[];
  /** The first arguments, before those of the manifest. */
  readonly firstArgs: readonly string[];
  /** The arguments that name the package. */
  readonly packageArgs: (pkg: ManifestPackage, hasOldSchema: boolean) => readonly string[];
}

const withVersion = ({ identifier, version }: ManifestPackage, separator: string): string =>
  version ? `${identifier}${separator}${version}` : identifier;

const DOCKER_HUB: readonly string[] = [
  ...["docker.io", "index.docker.io", "registry-1.docker.io"],
  ...["hub.docker.com", "registry.hub.docker.com"],
];

export const RUNNERS: ReadonlyMap<string, PackageRunner> = new Map(
  Object.entries<PackageRunner>({
    npm: {
      command: "npx",
      registries: ["registry.npmjs.org", "www.npmjs.com", "npmjs.com", "npmjs.org"],
      firstArgs: ["-y"],
      packageArgs: (pkg) => [withVersion(pkg, "@")],
    },
    pypi: {
      command: "uvx",
      registries: ["pypi.org", "www.pypi.org"],
      firstArgs: [],
      packageArgs: (pkg) => [withVersion(pkg, "==")],
    },
    oci: {
      command: "docker",
      registries: DOCKER_HUB,
      firstArgs: ["run", "-i", "--rm"],
      packageArgs: (pkg, hasOldSchema) => [imageReference(pkg, hasOldSchema)],
    },
    nuget: {
      command: "dnx",
      registries: ["api.nuget.org", "www.nuget.org", "nuget.org"],
      firstArgs: [],
      packageArgs: (pkg) => [
        withVersion(pkg, "@"),
        "--yes",
        ...(pkg.packageArguments?.length ? ["--"] : []),
      ],
    },
  }),
);

/** Returns the package's registry, without its scheme, unless it is one of the runner's. */
export function findOtherRegistry(
  { registryBaseUrl = "" }: ManifestPackage,
  defaultRegistries: readonly string[],
): string | undefined {
  const registry = registryBaseUrl.trim().replace(/^https?:\/\/|\/+$/gi, "");
  const host = registry.replace(/\/.*$|:443(?=\/|$)/gs, "").toLowerCase();
  return host === "" || defaultRegistries.includes(host) ? undefined : registry;
}

/** Since the December 2025 schema, the identifier alone is the image's name and tag. */
function imageReference(pkg: ManifestPackage, hasOldSchema: boolean): string {
  const { identifier } = pkg;
  const registry = findOtherRegistry(pkg, DOCKER_HUB);
  const hasRegistry = /^(?:localhost|[^/]*[.:][^/]*)\//.test(identifier);
  const image = registry === undefined || hasRegistry ? identifier : `${registry}/${identifier}`;
  const hasTag = /@|:[^/]*$/.test(identifier);
  return hasOldSchema && !hasTag ? withVersion({ ...pkg, identifier: image }, ":") : image;
}

/**
 * Returns the command that starts a package, with references for the user's values.
 *
 * @param hasOldSchema whether the manifest's schema is older than December 2025.
 */
export function toPackageCommand(
  pkg: ManifestPackage,
  { command, firstArgs, packageArgs }: PackageRunner,
  hasOldSchema: boolean,
  inputs: VariableResolver,
): UnnamedInput {
  const isContainer = pkg.registryType === "oci";
  // Some manifests repeat the package and the runner's first arguments.
  const repeated = new Set([...firstArgs, withoutVersion(pkg.identifier)]);
  const runtimeArguments = (pkg.runtimeArguments ?? []).filter(
    (argument) => !repeated.has(argument.name || withoutVersion(presetText(argument))),
  );
  const variables = runtimeArguments.map((argument) =>
    isContainer ? toEnvironmentVariable(argument) : undefined,
  );
  const all = [...(pkg.environmentVariables ?? []), ...variables.filter((field) => field != null)];
  const env = Object.fromEntries(
    all.flatMap((field) => {
      const text = inputs.environmentText(field);
      return text === undefined ? [] : [[field.name, text]];
    }),
  );
  const args = [
    ...firstArgs,
    ...runtimeArguments.flatMap((argument, index) =>
      variables[index] ? [] : toArgv(argument, inputs),
    ),
    ...(isContainer ? Object.keys(env).flatMap((name) => ["-e", name]) : []),
    ...packageArgs(pkg, hasOldSchema),
    ...(pkg.packageArguments ?? []).flatMap((argument) => toArgv(argument, inputs)),
  ];
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

const presetText = ({ value, default: preset = "" }: ManifestField): string => value || preset;

const withoutVersion = (text: string): string => text.replace(/(?<=.)[@:=].*$/s, "");

/**
 * Turns a container's `-e NAME={value}` into an environment variable. More clients fill in
 * variables than arguments, and process lists do not show them.
 */
function toEnvironmentVariable(argument: ManifestField) {
  const [, name = "", value] = /^([A-Za-z_]\w{0,99})=(.*)$/s.exec(presetText(argument)) ?? [];
  // Docker reads these itself.
  const isReadByDocker = /^(?:PATH|HOME|DOCKER_\w+)$/.test(name);
  const isVariable = ENV_OPTION.test(argument.name ?? "") && argument.variables && !isReadByDocker;
  return isVariable && value !== undefined ? { ...argument, name, value } : undefined;
}

/** Returns a word, or a flag and its value, or nothing for an optional argument without a value. */
function toArgv(argument: ManifestField, inputs: VariableResolver): readonly string[] {
  const { name = "", isRequired, format, ...rest } = argument;
  const isSwitch = name !== "" && (format ?? "boolean") === "boolean";
  if (isSwitch && isRequired && Object.keys(rest).length === 0) return [name];
  const text = inputs.textOf(
    upperSnake(argument.valueHint ?? "") || upperSnake(name) || "ARGUMENT",
    argument,
  );
  if (text === undefined) return [];
  if (name === "") return [text];
  // Docker reads the word after a switch as the image, and most programs treat a bare switch as true.
  if (format === "boolean" && /^(?:true|false)$/.test(text)) return text === "true" ? [name] : [];
  return name.endsWith("=") ? [`${name}${text}`] : [name, text];
}
