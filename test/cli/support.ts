import { relative, resolve } from "node:path";
import { CliError } from "../../cli/cli-error.ts";
import { decodeExactly } from "../../cli/files/read-file.ts";
import type { Io } from "../../cli/io.ts";
import { runCommandLine } from "../../cli/run.ts";

interface World {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The targets of links. */
  readonly links?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  readonly outIsTerminal?: boolean;
  readonly outColumns?: number;
  readonly errorIsTerminal?: boolean;
  /** What the user answers; without it nobody can be asked. */
  readonly answer?: string | undefined;
  readonly platform?: string;
  readonly ownCommand?: readonly string[];
  /** The other programs; without it there is none. */
  readonly runProgram?: (words: readonly string[]) => {
    readonly code: number;
    readonly output: string;
  };
  /** True when other users can read the replaced files. */
  readonly readableByOthers?: boolean;
}

/** Runs a command line in memory: what it printed, its exit code, and the files after it. */
export async function commandLine(argv: readonly string[], world: World = {}) {
  const printed = { out: "", error: "" };
  const files = new Map(Object.entries(world.files ?? {}));
  const bytes = (content: string | Uint8Array) =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const io: Io = {
    reporting: { flags: {}, warningCount: 0 },
    environment: world.environment ?? {},
    outIsTerminal: world.outIsTerminal ?? false,
    outColumns: world.outColumns,
    get errorIsTerminal() {
      return world.errorIsTerminal ?? false;
    },
    today: () => "2026-11-27",
    platform: world.platform ?? "linux",
    get ownCommand() {
      return world.ownCommand ?? ["/usr/bin/node", "/opt/handtools/dist/cli/main.js"];
    },
    async readFile(path) {
      const content =
        path === "-"
          ? (world.stdin ?? "")
          : (files.get(path) ?? files.get(relative(process.cwd(), path)));
      if (content === undefined) throw new CliError([`${path}: no such file or directory`]);
      return bytes(content);
    },
    async readFileIfExists(path) {
      const content = files.get(path);
      return content === undefined ? undefined : bytes(content);
    },
    exists: async (path) =>
      [...files.keys()].some((file) => file === path || file.startsWith(`${path}/`)),
    async realPath(path) {
      const absolute = resolve(path);
      const [link, target] =
        Object.entries(world.links ?? {}).find(
          ([from]) => absolute === resolve(from) || absolute.startsWith(`${resolve(from)}/`),
        ) ?? [];
      return link === undefined || target === undefined
        ? absolute
        : `${resolve(target)}${absolute.slice(resolve(link).length)}`;
    },
    isSameFile: async (one, other) => one !== "-" && resolve(one) === resolve(other),
    async replaceFile(path, text, { approve }) {
      const existing = await io.readFileIfExists(path);
      if (existing) await approve?.(new TextDecoder().decode(existing));
      files.set(path, text);
      return { readableByOthers: world.readableByOthers ?? false };
    },
    async editFile(path, edit) {
      const oldText = decodeExactly(path, await io.readFileIfExists(path));
      const text = edit(oldText);
      if (text === oldText) return { readableByOthers: false };
      files.set(path, text);
      return { readableByOthers: world.readableByOthers ?? false };
    },
    async ask(question) {
      if (world.answer !== undefined) printed.error += `${question}${world.answer}\n`;
      return world.answer;
    },
    async runProgram(program, words) {
      if (!world.runProgram) throw new CliError([`${program}: no such file or directory`]);
      return world.runProgram([program, ...words]);
    },
    async writeOut(text) {
      printed.out += text;
    },
    async writeError(text) {
      printed.error += text;
    },
  };
  const exitCode = await runCommandLine(argv, io);
  return { exitCode, ...printed, files: Object.fromEntries(files) };
}
