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
  readonly start: readonly string[];
  /** The arguments that name the package. */
  readonly words: (pkg: ManifestPackage, isOld: boolean) => readonly string[];
}

const versioned = ({ identifier, version }: ManifestPackage, separator: string): string =>
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
      start: ["-y"],
      words: (pkg) => [versioned(pkg, "@")],
    },
    pypi: {
      command: "uvx",
      registries: ["pypi.org", "www.pypi.org"],
      start: [],
      words: (pkg) => [versioned(pkg, "==")],
    },
    oci: {
      command: "docker",
      registries: DOCKER_HUB,
      start: ["run", "-i", "--rm"],
      words: (pkg, isOld) => [imageReference(pkg, isOld)],
    },
    nuget: {
      command: "dnx",
      registries: ["api.nuget.org", "www.nuget.org", "nuget.org"],
      start: [],
      words: (pkg) => [
        versioned(pkg, "@"),
        "--yes",
        ...(pkg.packageArguments?.length ? ["--"] : []),
      ],
    },
  }),
);

/** Returns the package's registry, without its scheme, unless it is one of these. */
export function otherRegistry(
  { registryBaseUrl = "" }: ManifestPackage,
  usual: readonly string[],
): string | undefined {
  const registry = registryBaseUrl.trim().replace(/^https?:\/\/|\/+$/gi, "");
  const host = registry.replace(/\/.*$|:443(?=\/|$)/gs, "").toLowerCase();
  return host === "" || usual.includes(host) ? undefined : registry;
}

/** Since the December 2025 schema, the identifier alone is the image's name and tag. */
function imageReference(pkg: ManifestPackage, isOld: boolean): string {
  const { identifier } = pkg;
  const registry = otherRegistry(pkg, DOCKER_HUB);
  const hasRegistry = /^(?:localhost|[^/]*[.:][^/]*)\//.test(identifier);
  const image = registry === undefined || hasRegistry ? identifier : `${registry}/${identifier}`;
  const hasTag = /@|:[^/]*$/.test(identifier);
  return isOld && !hasTag ? versioned({ ...pkg, identifier: image }, ":") : image;
}

/**
 * Returns the command that starts a package, with references for the user's values.
 *
 * @param isOld whether the manifest's schema is older than December 2025.
 */
export function toPackageCommand(
  pkg: ManifestPackage,
  { command, start, words }: PackageRunner,
  isOld: boolean,
  inputs: VariableResolver,
): UnnamedInput {
  const isContainer = pkg.registryType === "oci";
  // Some manifests repeat the package and the runner's first arguments.
  const repeated = new Set([...start, withoutVersion(pkg.identifier)]);
  const given = (pkg.runtimeArguments ?? []).filter(
    (argument) => !repeated.has(argument.name || withoutVersion(fixedText(argument))),
  );
  const variables = given.map((argument) => (isContainer ? optionVariable(argument) : undefined));
  const all = [...(pkg.environmentVariables ?? []), ...variables.filter((field) => field != null)];
  const env = Object.fromEntries(
    all.flatMap((field) => {
      const text = inputs.environmentText(field);
      return text === undefined ? [] : [[field.name, text]];
    }),
  );
  const args = [
    ...start,
    ...given.flatMap((argument, index) => (variables[index] ? [] : toArgv(argument, inputs))),
    ...(isContainer ? Object.keys(env).flatMap((name) => ["-e", name]) : []),
    ...words(pkg, isOld),
    ...(pkg.packageArguments ?? []).flatMap((argument) => toArgv(argument, inputs)),
  ];
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

const fixedText = ({ value, default: usual = "" }: ManifestField): string => value || usual;

const withoutVersion = (text: string): string => text.replace(/(?<=.)[@:=].*$/s, "");

/**
 * Turns a container's `-e NAME={value}` into an environment variable. More clients fill in
 * variables than arguments, and process lists do not show them.
 */
function optionVariable(argument: ManifestField) {
  const [, name = "", value] = /^([A-Za-z_]\w{0,99})=(.*)$/s.exec(fixedText(argument)) ?? [];
  // Docker reads these itself.
  const isDockers = /^(?:PATH|HOME|DOCKER_\w+)$/.test(name);
  const isVariable = ENV_OPTION.test(argument.name ?? "") && argument.variables && !isDockers;
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
