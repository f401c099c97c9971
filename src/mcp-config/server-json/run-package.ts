import type { McpConfigInput } from "../../../schemas/mcp-config.ts";
import type { ServerDiagnostics } from "../server.ts";
import type { ManifestField, ManifestPackage } from "./manifest.ts";
import { environmentName, type Questions, variableName } from "./questions.ts";

/** How packages of a registry are started. */
interface Runner {
  /** The programs, the usual one first. */
  readonly programs: readonly string[];
  /** The registry's own address, which the program asks anyway. */
  readonly home: RegExp;
  /** The words before the manifest's own. */
  readonly start: (program: string) => readonly string[];
  readonly words: (of: ManifestPackage, program: string, isOld: boolean) => readonly string[];
}

const versioned = ({ identifier, version }: ManifestPackage, separator: string): string =>
  version ? `${identifier}${separator}${version}` : identifier;

/** By the kind of package. */
export const RUNNERS: ReadonlyMap<string, Runner> = new Map(
  Object.entries<Runner>({
    npm: {
      programs: ["npx", "bunx"],
      home: /^https:\/\/registry\.npmjs\.org\/?$/,
      start: (program) => (program === "npx" ? ["-y"] : []),
      words: (of) => [versioned(of, "@")],
    },
    pypi: {
      programs: ["uvx", "pipx"],
      home: /^https:\/\/(?:files\.pythonhosted|pypi)\.org(?:\/simple)?\/?$/,
      start: (program) => (program === "pipx" ? ["run"] : []),
      words: (of) => [versioned(of, "==")],
    },
    oci: {
      programs: ["docker", "podman"],
      home: /^https?:\/\//,
      start: () => ["run", "-i", "--rm"],
      words: (of, _, isOld) => [imageOf(of, isOld)],
    },
    nuget: {
      programs: ["dnx"],
      home: /^https:\/\/api\.nuget\.org(?:\/v3(?:\/index\.json)?)?\/?$/,
      start: () => [],
      words: (of) => [versioned(of, "@"), "--yes", ...(of.packageArguments?.length ? ["--"] : [])],
    },
  }),
);

/** Since the schema of December 2025 the identifier alone names the image, its tag included. */
function imageOf(of: ManifestPackage, isOld: boolean): string {
  const { identifier, registryBaseUrl = "" } = of;
  const host = registryBaseUrl.replace(/^https?:\/\/|\/$/g, "");
  const isPrefixed = host === "" || host === "docker.io" || identifier.startsWith(`${host}/`);
  const image = isPrefixed ? identifier : `${host}/${identifier}`;
  const hasTag = /@|:[^/]*$/.test(identifier);
  return isOld && !hasTag ? versioned({ ...of, identifier: image }, ":") : image;
}

/** The command that starts a package, with references for what the user gives. */
export function runPackage(
  of: ManifestPackage,
  runner: Runner,
  isOld: boolean,
  questions: Questions,
  diagnostics: ServerDiagnostics,
): Omit<McpConfigInput, "name"> {
  const { runtimeArguments = [], packageArguments = [], environmentVariables = [] } = of;
  for (const argument of [...runtimeArguments, ...packageArguments]) {
    questions.declareField(argumentName(argument), argument);
  }
  for (const field of environmentVariables) {
    questions.declareField(environmentName(field.name), field);
  }
  warnAboutPackage(of, runner, diagnostics);
  const env = environmentOf(environmentVariables, questions, diagnostics);
  const command = programOf(of, runner, diagnostics);
  // Some manifests give the package, and the runner's first words, as runtime arguments too.
  const runtime = runtimeArguments
    .filter(({ name, value }) => name || value !== of.identifier)
    .flatMap((argument) => wordsOf(argument, questions));
  const isContainer = of.registryType === "oci";
  const start = runner.start(command);
  const args = [
    ...start,
    ...runtime.filter((word) => !start.includes(word)),
    ...(isContainer ? Object.keys(env).flatMap((name) => ["-e", name]) : []),
    ...runner.words(of, command, isOld),
    ...packageArguments.flatMap((argument) => wordsOf(argument, questions)),
  ];
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

const argumentName = ({ valueHint, name }: ManifestField): string =>
  variableName(valueHint ?? name ?? "argument");

/** One word, or a flag and its value; none for an optional argument without a value. */
function wordsOf(argument: ManifestField, questions: Questions): readonly string[] {
  const { name, format, isRequired, value } = argument;
  if (name && isRequired && isSwitch(argument)) return [name];
  // For many programs the flag alone means true, whatever follows it.
  if (name && format === "boolean" && !value && argument.default === "false") return [];
  const text = questions.textOf(argumentName(argument), argument);
  if (text === undefined) return [];
  if (!name) return [text];
  return name.endsWith("=") ? [`${name}${text}`] : [name, text];
}

const isSwitch = (argument: ManifestField): boolean =>
  [argument.value, argument.default, argument.description, argument.valueHint].every(
    (text) => !text,
  ) &&
  !argument.choices &&
  !argument.variables;

function environmentOf(
  fields: readonly (ManifestField & { name: string })[],
  questions: Questions,
  diagnostics: ServerDiagnostics,
): Record<string, string> {
  const env = new Map<string, string>();
  for (const field of fields) {
    const text = questions.textOf(environmentName(field.name), field);
    if (text === undefined) continue;
    if (env.has(field.name)) {
      diagnostics.warn(
        "manifest-value",
        `has the variable ${field.name} twice; the last one is used`,
      );
    }
    env.set(field.name, text);
  }
  return Object.fromEntries(env);
}

function programOf(
  { runtimeHint, registryType }: ManifestPackage,
  { programs }: Runner,
  diagnostics: ServerDiagnostics,
): string {
  const [usual = ""] = programs;
  const hint = runtimeHint?.replace(/^pipx run$/, "pipx") ?? usual;
  if (programs.includes(hint)) return hint;
  const message = `asks for ${hint}, which starts no ${registryType} package by its name; ${usual} is used`;
  diagnostics.warn("manifest-runtime", message);
  return usual;
}

function warnAboutPackage(
  { registryType, registryBaseUrl, version = "" }: ManifestPackage,
  { home, programs: [program] }: Runner,
  diagnostics: ServerDiagnostics,
): void {
  if (registryBaseUrl !== undefined && !home.test(registryBaseUrl)) {
    const message = `is in the registry ${registryBaseUrl}, which ${program} does not use by default`;
    diagnostics.warn("manifest-runtime", message);
  }
  if (/^(?:latest|next|[\^~<>=*])|[*|\s]|\.x/.test(version)) {
    const message = `has the version ${version} of the ${registryType} package, which may be another one tomorrow`;
    diagnostics.warn("manifest-version", message);
  }
}
