import type { McpFindings } from "./config-findings.ts";
import type { CommandLine, StdioServer } from "./mcp-server.ts";

/** Warns about docker or podman containers that a client cannot use. */
export function warnAboutContainer(server: StdioServer, findings: McpFindings): void {
  const run = parseContainerRun(server);
  if (!run) return;
  const { args, env } = server;
  const { flags, imageIndex } = run;
  if (!flags.has("-i") && !flags.has("--interactive")) findings.at("args").add("container-option");
  const terminal = flags.get("-t") ?? flags.get("--tty");
  if (terminal !== undefined) findings.at("args", terminal).add("container-option/terminal");
  // Words after the image are for the program. A variable may be part of an option: `-v ${DIR}:/a`.
  const options = args.slice(0, imageIndex).map((option) => option.replace(/^-e(?=\w)/, ""));
  const words = new Set(options.flatMap((option) => option.match(/\w+/g) ?? []));
  for (const name of Object.keys(env)) {
    if (flags.has("--env-host") || isReadByDocker(name) || words.has(name)) continue;
    findings.at("env", name).add("container-variable", { name });
  }
  const missing = [...new Set(run.inheritedVariables)].filter((name) => !Object.hasOwn(env, name));
  if (missing.length > 0) findings.at("args").add("container-variable/missing", { names: missing });
}

/**
 * Parses `docker run [OPTIONS] IMAGE …`: the image's index, the indexes of options without a value, and
 * the variables in `-e NAME`. Returns undefined if the command does not start a container.
 */
export function parseContainerRun({ command, args }: CommandLine) {
  if (!/(?:^|[\\/])(?:docker|podman)(?:\.exe)?$/.test(command)) return undefined;
  const start = args.indexOf("run");
  const isRun = start === 0 || (start > 0 && /^(?:-.*|container)$/.test(args[0] ?? ""));
  if (!isRun) return undefined;
  const flags = new Map<string, number>();
  const inheritedVariables: string[] = [];
  for (let index = start + 1; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (word === "--") return { imageIndex: index + 1, flags, inheritedVariables };
    if (!word.startsWith("-")) return { imageIndex: index, flags, inheritedVariables };
    const { long, letters = "", letter, inline } = DOCKER_OPTION.exec(word)?.groups ?? {};
    const options = long && FLAGS.has(long) ? [long] : Array.from(letters, (flag) => `-${flag}`);
    if (inline !== "false") for (const flag of options) flags.set(flag, index);
    const option = long ?? (letter && `-${letter}`);
    if (option === undefined || options.includes(option)) continue;
    if (inline === undefined) index += 1;
    const value = inline ?? args[index] ?? "";
    if (ENV_OPTION.test(option) && /^\w+$/.test(value)) inheritedVariables.push(value);
  }
  return undefined;
}

/** `--env=A`, `-eA`, `-it`, and `-ie` with the value in the next word. */
const DOCKER_OPTION =
  /^(?:(?<long>--[\w-]+)|-(?<letters>[ditPq]*)(?<letter>\w)?)=?(?<inline>.+)?$/s;

/** Sets a variable in the container. `-e NAME` passes on docker's own variable. */
export const ENV_OPTION = /^(?:-e|--env)$/;

/** Options of docker and podman without a value. */
const FLAGS: ReadonlySet<string> = new Set([
  ...["--detach", "--disable-content-trust", "--env-host", "--help", "--http-proxy", "--init"],
  ...["--interactive", "--no-healthcheck", "--no-hostname", "--no-hosts", "--oom-kill-disable"],
  ...["--passwd", "--privileged", "--publish-all", "--quiet", "--read-only", "--read-only-tmpfs"],
  ...["--replace", "--rm", "--rmi", "--rootfs", "--sig-proxy", "--tls-verify", "--tty"],
  ...["--unsetenv-all", "--use-api-socket"],
]);

/** Whether docker and podman read the variable themselves. */
const isReadByDocker = (name: string): boolean =>
  /^(?:DOCKER|BUILDKIT|COMPOSE|CONTAINERS?|PODMAN|REGISTRY_AUTH|XDG)_|_PROXY$/i.test(name) ||
  /^(?:PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|SYSTEMROOT)$/i.test(name);
