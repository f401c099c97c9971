import { relative, resolve } from "node:path";
import { Option } from "commander";
import * as v from "valibot";
import { SystemError } from "../../cli/errors.ts";
import { backupPath } from "../../cli/files/edit-file.ts";
import { namingPlaces, readInput, warningMessages } from "../../cli/input/input.ts";
import type { Io } from "../../cli/io.ts";
import { plainReporting, writeMessages } from "../../cli/messages/message.ts";
import { allChoices, choiceOption, isGiven } from "../../cli/options.ts";
import { deliver, toJsonText } from "../../cli/output.ts";
import { run } from "../../cli/run.ts";
import { addToolFlags, FILES, onRun, type ToolCommand } from "../../cli/tool-command.ts";
import { type ToolCommands, toolCommands } from "../../cli/tool-list.ts";
import { closedObject, stringMap } from "../../schemas/common.ts";
import { defineContract } from "../../schemas/contract.ts";
import { WarningSchema } from "../../schemas/warning.ts";
import { InvalidInputError } from "../../src/issues.ts";
import { optionsSchema, runTool, type Tool, withLocalLimits } from "../../src/tool.ts";

interface World {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The targets of links. */
  readonly links?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  readonly outIsTerminal?: boolean;
  readonly outColumns?: number;
  readonly errorIsTerminal?: boolean;
  readonly platform?: string;
  readonly ownWords?: readonly string[];
  /** The other programs; without it there is none. */
  readonly runProgram?: (
    words: readonly string[],
    files: Map<string, string | Uint8Array>,
  ) => { readonly code: number; readonly output: string };
  /** Is given what Ctrl-C would call. */
  readonly onInterrupt?: (listener: () => void) => void;
  /** True when other users can read the replaced files. */
  readonly readableByOthers?: boolean;
  readonly loaders?: ToolCommands;
}

/** Runs a command line in memory: what it printed, its exit code, and the files after it. */
export async function commandLine(argv: readonly string[], world: World = {}) {
  const printed = { out: "", error: "" };
  const files = new Map(Object.entries(world.files ?? {}));
  const bytes = (content: string | Uint8Array) =>
    typeof content === "string" ? new TextEncoder().encode(content) : content;
  const io: Io = {
    reporting: plainReporting(),
    environment: world.environment ?? {},
    outIsTerminal: world.outIsTerminal ?? false,
    outColumns: world.outColumns,
    get errorIsTerminal() {
      return world.errorIsTerminal ?? false;
    },
    platform: world.platform ?? "linux",
    ownWords: world.ownWords ?? ["/usr/bin/node", "/opt/handtools/dist/cli/main.js"],
    async readFile(path) {
      const content =
        path === "-"
          ? (world.stdin ?? "")
          : (files.get(path) ?? files.get(relative(process.cwd(), path)));
      if (content === undefined) throw new SystemError([`${path}: no such file or directory`]);
      return bytes(content);
    },
    async readStream(path) {
      const content = await io.readFile(path);
      return { size: content.length, position: () => content.length, chunks: chunksOf(content) };
    },
    onInterrupt: (listener) => world.onInterrupt?.(listener),
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
    async replaceFile(path, text, { approve, backup }) {
      const existing = await io.readFileIfExists(path);
      await approve?.(existing);
      files.set(path, text);
      const copy = backup && existing ? backupPath(path) : undefined;
      if (copy !== undefined && existing) files.set(copy, existing);
      return { readableByOthers: world.readableByOthers ?? false, backup: copy };
    },
    whileLocked: (_, work) => work(),
    async runProgram(program, words) {
      if (!world.runProgram) throw new SystemError([`${program}: no such file or directory`]);
      return world.runProgram([program, ...words], files);
    },
    async writeOut(text) {
      printed.out += text;
    },
    async writeError(text) {
      printed.error += text;
    },
  };
  const exitCode = await run(argv, io, world.loaders ?? toolCommands);
  return { exitCode, ...printed, files: Object.fromEntries(files) };
}

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 4096) yield content.subarray(at, at + 4096);
}

const ItemSchema = closedObject({
  label: v.optional(
    v.pipe(v.string(), v.maxLength(9, "must be shorter"), v.description("A text.")),
  ),
  from_whom: v.optional(v.array(v.string())),
  size_mb: v.optional(v.pipe(v.number(), v.maxValue(50))),
  count: v.optional(v.pipe(v.number(), v.integer())),
  mark_read: v.optional(v.boolean()),
  importance: v.optional(v.picklist(["always", "never"])),
  env: v.optional(
    stringMap({ key: /^[\w-]+$/, keyIs: "a name", value: /^/, valueIs: "a value", maxLength: 99 }),
  ),
});

const inputWith = (maxItems: number) =>
  closedObject({
    items: v.pipe(v.array(ItemSchema), v.minLength(1), v.maxLength(maxItems)),
    loud: v.optional(v.boolean(), false),
    /** Warnings for the result. */
    remarks: v.optional(v.array(v.string()), []),
  });

const echoContract = defineContract({
  name: "echo_machine",
  title: "Echo",
  description: "Says its input again.",
  command: "echo",
  function: "echo",
  input: inputWith(3),
  local_input: inputWith(5),
  output: v.strictObject({
    input: inputWith(5),
    warnings: v.array(WarningSchema),
  }),
  example_input: {
    items: [{ label: "it's", from_whom: ["a b", "-c"], mark_read: true, env: { KEY: "$HOME" } }],
  },
  prints: "the input",
  sensitive: false,
});

/** A tool with a field of every kind; its result is its input. */
const echoTool: Tool<typeof echoContract> = {
  contract: echoContract,
  options: optionsSchema({}),
  run(input) {
    const label = input.items[0]?.label;
    if (label === "bug") throw new Error("a bug in the tool");
    if (label === "reject") {
      throw new InvalidInputError([
        { path: "items[0]", message: "must have `from_whom` or `size_mb`" },
        { path: "", message: "must be loud" },
      ]);
    }
    const warnings = input.remarks.map((message) => ({
      code: "remark",
      severity: message.startsWith("!") ? ("warning" as const) : ("info" as const),
      path: { item: "items[0]", whole: "" }[message] ?? "items[0].from_whom[1]",
      message,
    }));
    return { input, warnings };
  },
  render: ({ input, warnings }) => ({ text: `${JSON.stringify(input)}\n`, warnings }),
};

/** A command with the flags that those of all tools share. */
const echoCommand: ToolCommand = {
  contract: echoContract,
  async define(command, words, io) {
    const brief = new Option("--brief", "less");
    const client = choiceOption("--client <name>", "for whom", ["one", "two"]);
    const own = { input: [], output: [brief, client], files: [] };
    const tool = withLocalLimits(echoTool);
    const flags = await addToolFlags(command.argument(...FILES), tool.contract, own, words);
    onRun(command, flags, io, async ({ sources, destination, isJson }) => {
      const options = {
        ...(isGiven(command, brief) && { brief: true }),
        ...(isGiven(command, client) && { client: allChoices(command, client, ["one", "two"]) }),
      };
      const input = await readInput(sources, io, "items");
      const result = await namingPlaces(input, () => runTool(tool, input.value));
      const { text, warnings } = tool.render(result);
      await writeMessages(io, await warningMessages(warnings, input));
      const chosen = Object.keys(options).length > 0 ? `${JSON.stringify(options)}\n` : "";
      const product = isJson ? toJsonText(result) : `${chosen}${text}`;
      await deliver({ text: product }, destination, io);
    });
  },
};

export const echoLoaders: ToolCommands = new Map([["echo", async () => echoCommand]]);
/** The commands of the tools and that one. */
export const withEcho: ToolCommands = new Map([...toolCommands, ...echoLoaders]);

/** The words of a command line as a POSIX shell splits it: plain and single-quoted text. */
export const shellWords = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replaceAll("\\'", "\u0000").replaceAll("'", "").replaceAll("\u0000", "'"),
  );
