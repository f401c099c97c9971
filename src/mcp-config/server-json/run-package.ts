import { FORWARDS } from "../container.ts";
import type { ReadFindings } from "../read-findings.ts";
import { upperSnake } from "../references.ts";
import type { UnnamedInput } from "../server.ts";
import type { ManifestField, ManifestPackage } from "./manifest.ts";
import { environmentName, type ManifestVariables } from "./manifest-variables.ts";

/** The way to start packages of a registry. */
interface Runner {
  /** The programs, the usual one first. */
  readonly programs: readonly string[];
  /** The address of the registry that the program uses by default. */
  readonly registryUrl: RegExp;
  /** The first arguments, before those of the manifest. */
  readonly start: (program: string) => readonly string[];
  /** The arguments that name the package. */
  readonly words: (pkg: ManifestPackage, program: string, isOld: boolean) => readonly string[];
}

const versioned = ({ identifier, version }: ManifestPackage, separator: string): string =>
  version ? `${identifier}${separator}${version}` : identifier;

/** The runners, by the kind of package. */
export const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  Object.entries<Runner>({
    npm: {
      programs: ["npx", "bunx"],
      registryUrl: /^https:\/\/registry\.npmjs\.org\/?$/,
      start: (program) => (program === "npx" ? ["-y"] : []),
      words: (pkg) => [versioned(pkg, "@")],
    },
    pypi: {
      programs: ["uvx", "pipx"],
      registryUrl: /^https:\/\/(?:files\.pythonhosted|pypi)\.org(?:\/simple)?\/?$/,
      start: (program) => (program === "pipx" ? ["run"] : []),
      words: (pkg) => [versioned(pkg, "==")],
    },
    oci: {
      programs: ["docker", "podman"],
      registryUrl: /^https?:\/\//,
      start: () => ["run", "-i", "--rm"],
      words: (pkg, _, isOld) => [imageReference(pkg, isOld)],
    },
    nuget: {
      programs: ["dnx"],
      registryUrl: /^https:\/\/api\.nuget\.org(?:\/v3(?:\/index\.json)?)?\/?$/,
      start: () => [],
      words: (pkg) => [
        versioned(pkg, "@"),
        "--yes",
        ...(pkg.packageArguments?.length ? ["--"] : []),
      ],
    },
  }),
);

/** Since the schema of December 2025 the identifier alone names the image, its tag included. */
function imageReference(pkg: ManifestPackage, isOld: boolean): string {
  const { identifier, registryBaseUrl = "" } = pkg;
  const host = registryBaseUrl.replace(/^https?:\/\/|\/$/g, "");
  const isPrefixed = host === "" || host === "docker.io" || identifier.startsWith(`${host}/`);
  const image = isPrefixed ? identifier : `${host}/${identifier}`;
  const hasTag = /@|:[^/]*$/.test(identifier);
  return isOld && !hasTag ? versioned({ ...pkg, identifier: image }, ":") : image;
}

/** The command that starts a package, with references for what the user gives. */
export function runPackage(
  given: ManifestPackage,
  runner: Runner,
  isOld: boolean,
  manifestVariables: ManifestVariables,
  findings: ReadFindings,
): UnnamedInput {
  const isContainer = given.registryType === "oci";
  const pkg = isContainer ? withVariables(given) : given;
  const { environmentVariables = [] } = pkg;
  const [usual = ""] = runner.programs;
  const hint = pkg.runtimeHint?.replace(/^pipx run$/, "pipx") ?? usual;
  const command = runner.programs.includes(hint) ? hint : usual;
  const start = runner.start(command);
  // Some manifests list the package, and the runner's first arguments, as arguments too.
  const isRepeated = (argument: ManifestField) =>
    isPackage(pkg, argument) || start.includes(argument.name || fixedText(argument));
  const runtimeArguments = (pkg.runtimeArguments ?? []).filter((argument) => !isRepeated(argument));
  const packageArguments = (pkg.packageArguments ?? []).filter(
    (argument) => !(isContainer && isPackage(pkg, argument)),
  );
  for (const field of environmentVariables) manifestVariables.declareVariable(field);
  for (const argument of [...runtimeArguments, ...packageArguments]) {
    manifestVariables.declareField(argumentName(argument), argument);
  }
  warnAboutPackage(pkg, runner, findings);
  const env = Object.fromEntries(
    environmentVariables.flatMap((field) => {
      const text = manifestVariables.textOf(environmentName(field.name), field);
      return text === undefined ? [] : [[field.name, text]];
    }),
  );
  const runtime = runtimeArguments.flatMap((argument) =>
    toArgv(argument, manifestVariables, isContainer),
  );
  const isForwarded = (name: string) =>
    runtime.some((word, index) => word === name && FORWARDS.test(runtime[index - 1] ?? ""));
  const forwarded = Object.keys(env).filter((name) => isContainer && !isForwarded(name));
  const args = [
    ...start,
    ...runtime,
    ...forwarded.flatMap((name) => ["-e", name]),
    ...runner.words(pkg, command, isOld),
    ...packageArguments.flatMap((argument) => toArgv(argument, manifestVariables)),
  ];
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** The fixed part of an argument. */
const fixedText = ({ value, default: usual = "" }: ManifestField): string => value || usual;

/** True for the package itself, also with another version and an image without its usual registry. */
function isPackage(
  { identifier, registryType }: ManifestPackage,
  argument: ManifestField,
): boolean {
  if (argument.name) return false;
  const version = registryType === "oci" ? /(?:@sha256)?:[^/]*$/ : /(?<=.)(?:@|==)[^@/]*$/;
  const [name, own] = [fixedText(argument), identifier].map((text) =>
    text.replace(/^(?:https?:\/\/)?docker\.io\//, "").replace(version, ""),
  );
  return name === own;
}

/**
 * A container with its options `-e NAME={value}`, and `-e NAME` if it is required, as variables of
 * its environment: clients fill those in also where they leave arguments as they are, and no list
 * of processes shows them.
 */
function withVariables(pkg: ManifestPackage): ManifestPackage {
  const variables = [...(pkg.environmentVariables ?? [])];
  const runtimeArguments = withOptions(pkg.runtimeArguments ?? []).flatMap((argument) => {
    const text = fixedText(argument) || argument.valueHint || "";
    const [, name, value] = /^([A-Za-z_]\w{0,99})(?:=(.*))?$/s.exec(text) ?? [];
    if (name === undefined || !FORWARDS.test(argument.name ?? "")) return [argument];
    const known = variables.find((field) => field.name === name);
    if (value !== undefined) {
      const isArgument = !argument.variables || /^(?:PATH|HOME|DOCKER_\w+)$/.test(name);
      if (known || isArgument) return [argument];
      variables.push({ ...argument, name, value });
    } else {
      if (!argument.isRequired) return [{ ...argument, value: name }];
      if (known) variables[variables.indexOf(known)] = { ...known, isRequired: true };
      else variables.push({ ...argument, name, value: "", default: "" });
    }
    return [];
  });
  return { ...pkg, environmentVariables: variables, runtimeArguments };
}

/** Joins `-e` and its text into one argument: some manifests list them as two. */
function withOptions(given: readonly ManifestField[]): ManifestField[] {
  const found: ManifestField[] = [];
  for (const argument of given) {
    const { name = "", value = "" } = argument;
    const before = found.at(-1);
    const [, option, text] = /^(-e|--env)[ =](.+)$/s.exec(name) ?? [];
    if (option !== undefined) found.push({ ...argument, name: option, value: `${text}${value}` });
    else if (before && !before.name && !name && FORWARDS.test(fixedText(before))) {
      found.splice(-1, 1, { ...argument, name: fixedText(before) });
    } else found.push(argument);
  }
  return found;
}

const argumentName = ({ valueHint = "", name = "" }: ManifestField): string =>
  upperSnake(valueHint) || upperSnake(name) || "ARGUMENT";

/** One word, or a flag and its value; none for an optional argument without a value. */
function toArgv(
  argument: ManifestField,
  manifestVariables: ManifestVariables,
  isContainer = false,
): readonly string[] {
  const { name, format, isRequired, value } = argument;
  if (name && isRequired && isSwitch(argument)) return [name];
  // Docker reads the word after a switch as the image.
  if (name && isContainer && format === "boolean" && /^(?:true|false)$/.test(fixedText(argument))) {
    return fixedText(argument) === "true" ? [name] : [];
  }
  // For many programs the flag alone means true, whatever follows it.
  if (name && format === "boolean" && !value && argument.default === "false") return [];
  const text = manifestVariables.textOf(argumentName(argument), argument);
  if (text === undefined) return [];
  if (!name) return [text];
  return name.endsWith("=") ? [`${name}${text}`] : [name, text];
}

const isSwitch = (argument: ManifestField): boolean =>
  [argument.value, argument.default, argument.description, argument.valueHint].every(
    (text) => !text,
  ) &&
  (argument.format ?? "boolean") === "boolean" &&
  !argument.isSecret &&
  !argument.choices &&
  !argument.variables;

function warnAboutPackage(
  { registryType, registryBaseUrl, version = "" }: ManifestPackage,
  { registryUrl, programs: [program = ""] }: Runner,
  findings: ReadFindings,
): void {
  if (registryBaseUrl !== undefined && !registryUrl.test(registryBaseUrl)) {
    findings.add("manifest-unclear/registry", { registry: registryBaseUrl, program });
  }
  if (/^(?:latest|next|[\^~<>=*])|[*|\s]|\.x/.test(version)) {
    findings.add("manifest-version", { version, kind: registryType });
  }
}
