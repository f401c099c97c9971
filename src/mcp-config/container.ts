import { type ClientDefinition, replacesReferences, type ServerAnalysis } from "./client.ts";
import type { McpFindings } from "./findings.ts";
import type { StdioServer } from "./server.ts";

/** The variables that a container expects from its client, and that this client does not pass on by itself. */
export function notPassedOn(
  { passesOnFew }: ClientDefinition,
  { server }: ServerAnalysis,
): readonly string[] {
  if (!passesOnFew || server.transport !== "stdio") return [];
  const { names = [] } = parseContainerRun(server) ?? {};
  return [...new Set(names)].filter((name) => !Object.hasOwn(server.env, name));
}

/** True where the client replaces a reference to a variable in `env`. */
export const replacesInEnv = (client: ClientDefinition, name: string): boolean =>
  replacesReferences(client, { path: ["env", name], value: `\${${name}}` });

/** Warns where docker or podman starts a container that the client cannot use. */
export function warnAboutContainer(server: StdioServer, findings: McpFindings): void {
  const run = parseContainerRun(server);
  if (!run) return;
  const { args, env } = server;
  if (!run.isInteractive) findings.at("args").add("container-option");
  if (run.terminal !== undefined) {
    findings.at("args", run.terminal).add("container-option/terminal");
  }
  // What follows the image is for the program. A variable may be a part of an option, as in `-v ${DIR}:/data`.
  const options = args.slice(0, run.image).map((option) => option.replace(/^-e(?=\w)/, ""));
  const words = new Set(options.flatMap((option) => option.match(/\w+/g) ?? []));
  for (const name of Object.keys(env)) {
    if (run.passesAll || isReadByDocker(name) || words.has(name)) continue;
    findings.at("env", name).add("container-variable", { name });
  }
}

/** `docker run [OPTIONS] IMAGE …` */
interface ContainerRun {
  /** The index of the image among the arguments. */
  readonly image: number;
  /** The variables of `-e NAME` without a value. */
  readonly names: readonly string[];
  readonly isInteractive: boolean;
  /** The index of the option that asks for a terminal. */
  readonly terminal: number | undefined;
  /** podman's `--env-host`. */
  readonly passesAll: boolean;
}

/** @returns undefined for another program, and for a command that starts no container. */
export function parseContainerRun({
  command,
  args,
}: Pick<StdioServer, "command" | "args">): ContainerRun | undefined {
  if (!/(?:^|[\\/])(?:docker|podman)(?:\.exe)?$/.test(command)) return undefined;
  const start = args.indexOf("run");
  const isRun = start === 0 || (start > 0 && /^(?:-.*|container)$/.test(args[0] ?? ""));
  if (!isRun) return undefined;
  const names: string[] = [];
  const given = new Set<string>();
  let terminal: number | undefined;
  for (let index = start + 1; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (!word.startsWith("-") || word === "--") {
      const image = word === "--" ? index + 1 : index;
      const isInteractive = given.has("-i") || given.has("--interactive");
      return { image, names, isInteractive, terminal, passesAll: given.has("--env-host") };
    }
    const { flags, option, inline } = parseOptions(word);
    if (inline !== "false") for (const flag of flags) given.add(flag);
    if (inline !== "false" && flags.some((flag) => flag === "-t" || flag === "--tty")) {
      terminal = index;
    }
    if (option === undefined) continue;
    if (inline === undefined) index += 1;
    const value = inline ?? args[index] ?? "";
    if (FORWARDS.test(option) && /^\w+$/.test(value)) names.push(value);
  }
  return undefined;
}

/** The option that sets a variable in the container; `-e NAME` passes on docker's own. */
export const FORWARDS = /^(?:-e|--env)$/;

interface ParsedOptions {
  /** Options without a value. */
  readonly flags: readonly string[];
  /** An option with a value, which is the next word unless it is `inline`. */
  readonly option?: string | undefined;
  readonly inline?: string | undefined;
}

/** `--env=A`, `-eA`, `-it`, and `-ie` with the value in the next word. */
function parseOptions(word: string): ParsedOptions {
  const [, long = "", value] = /^(--[\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  if (long !== "") {
    return FLAGS.has(long)
      ? { flags: [long], inline: value }
      : { flags: [], option: long, inline: value };
  }
  const [, letters = "", letter, rest = ""] = /^-([ditPq]*)(\w)?=?(.*)$/s.exec(word) ?? [];
  const option = letter === undefined ? undefined : `-${letter}`;
  return {
    flags: Array.from(letters, (flag) => `-${flag}`),
    option,
    inline: rest === "" ? undefined : rest,
  };
}

/** The options of docker and podman that take no value. */
const FLAGS: ReadonlySet<string> = new Set([
  ...["--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init"],
  ...["--interactive", "--no-healthcheck", "--no-hostname", "--no-hosts", "--oom-kill-disable"],
  ...["--passwd", "--privileged", "--publish-all", "--quiet", "--read-only", "--read-only-tmpfs"],
  ...["--replace", "--rm", "--rmi", "--rootfs", "--sig-proxy", "--tls-verify", "--tty"],
  ...["--unsetenv-all", "--use-api-socket"],
]);

/** True for a variable that docker and podman read themselves. */
const isReadByDocker = (name: string): boolean =>
  /^(?:DOCKER|BUILDKIT|COMPOSE|CONTAINERS?|PODMAN|REGISTRY_AUTH|XDG)_|_PROXY$/i.test(name) ||
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|SYSTEMROOT)$/i.test(name);
