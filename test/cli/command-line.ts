import { OutsideFailure } from "../../cli/errors.ts";
import type { Io } from "../../cli/io.ts";
import { run } from "../../cli/run.ts";
import type { Catalog } from "../../src/loaders.ts";
import { loaders } from "../../src/loaders.ts";

interface World {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly errorIsTerminal?: boolean;
  readonly catalog?: Catalog;
}

/** Runs a command line in memory: what it printed, its exit code, and the files after it. */
export async function commandLine(argv: readonly string[], world: World = {}) {
  const printed = { out: "", error: "" };
  const files = new Map(Object.entries(world.files ?? {}));
  const bytes = (content: string | Uint8Array) =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const io: Io = {
    environment: world.environment ?? {},
    errorIsTerminal: world.errorIsTerminal ?? false,
    async readFile(path) {
      const content = files.get(path);
      if (content === undefined) throw new OutsideFailure([`${path}: no such file or directory`]);
      return bytes(content);
    },
    readInput: async () => bytes(world.stdin ?? ""),
    async replaceFile(path, text) {
      files.set(path, text);
    },
    async writeOut(text) {
      printed.out += text;
    },
    async writeError(text) {
      printed.error += text;
    },
  };
  const exitCode = await run(argv, io, world.catalog ?? loaders);
  return { exitCode, ...printed, files: Object.fromEntries(files) };
}
