import { Option } from "commander";
import type { SignupAction } from "../server/signup/admin.ts";
import { envFileOption, withEnvFile } from "./env-file.ts";
import { toCliError, UsageError } from "./errors.ts";
import { readText, requireReadable, sourceName } from "./files/read-file.ts";
import type { Io } from "./io.ts";
import { addExamples, type Define, filledOption } from "./options.ts";

/** `handtools signups`: works on the stored addresses. It needs Bun. */
const defineSignups: Define = (command, io) => {
  command.description(
    "Count, export, import, delete or sync the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
  );
  addExamples(command, [
    "handtools signups count",
    "handtools signups export ada@example.org",
    "handtools signups export --format csv",
    "handtools signups sync",
  ]);
  const subcommand = (name: string, examples: readonly string[]) =>
    addExamples(
      command.command(name).addOption(envFileOption()),
      examples.map((words) => `handtools signups ${words}`),
    );
  const run = (action: SignupAction | (() => Promise<SignupAction>)) => {
    const files = command.commands.map((used) => used.opts<{ envFile?: string }>().envFile);
    return operate(
      action,
      files.find((file) => file !== undefined),
      io,
    );
  };

  subcommand("count", ["count", "count --env-file handtools.env"])
    .description("print how many addresses are stored")
    .action(() => run({ name: "count" }));
  subcommand("export", [
    "export > signups.jsonl",
    "export --format csv > signups.csv",
    "export ada@example.org",
  ])
    .description("print the stored data of one address as JSON, or of all addresses")
    .argument("[email]", "one address; all when left out")
    .addOption(
      new Option(
        "--format <format>",
        "of all addresses: JSON lines, unless it is CSV for a spreadsheet",
      ).choices(["jsonl", "csv"]),
    )
    .action((email: string | undefined, { format }: { format?: "jsonl" | "csv" }) => {
      if (email === undefined) return run({ name: "export-all", format: format ?? "jsonl" });
      if (format) throw new UsageError(["--format: is for all addresses; one is printed as JSON"]);
      return run({ name: "export", email });
    });
  subcommand("delete", ["delete ada@example.org"])
    .description("delete an address; - takes addresses from standard input, one a line")
    .argument("<email>")
    .option("--newsletter", "delete it in listmonk too")
    .action((email: string, { newsletter = false }: { newsletter?: boolean }) =>
      run(async () => {
        const isList = email === "-";
        const emails = isList ? (await readFilled("-", io)).split("\n") : [email];
        return { name: "delete", emails, newsletter, isList };
      }),
    );
  subcommand("import", ["import signups.jsonl"])
    .description("add the addresses of an export in JSON lines; - is standard input")
    .argument("<file>")
    .action((file: string) =>
      run(async () => ({ name: "import", text: await readFilled(requirePath(file), io) })),
    );
  subcommand("sync", ["sync", "sync --yes", "sync --name Friend --yes"])
    .description(
      "list who waits for the newsletter and why, as JSON lines, or bring them to listmonk",
    )
    .option("--all", "also those that are synced: for a list that was changed or made again")
    .addOption(
      filledOption("--name <text>", "create people whom listmonk does not have, under this name"),
    )
    .option("--yes", "bring them to listmonk; without it, only list them")
    .action(({ all = false, yes = false, name }: SyncFlags) =>
      run({ name: "sync", all, yes, personName: name }),
    );
};

export const commands = { signups: defineSignups };

interface SyncFlags {
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly name?: string;
}

/** More than a million rows. */
const MAX_IMPORT_BYTES = 512 * 1024 * 1024;

/** @throws {UsageError} for a file without text: a list that got lost must not pass for done. */
async function readFilled(file: string, io: Io): Promise<string> {
  const text = await readText(file, io, MAX_IMPORT_BYTES);
  if (text.trim() === "") throw new UsageError([`${sourceName(file)}: is empty`]);
  return text;
}

function requirePath(file: string): string {
  requireReadable([{ label: "FILE", file }]);
  return file;
}

/** @param action a function runs under Bun alone: what Node reads of standard input is lost to Bun. */
async function operate(
  action: SignupAction | (() => Promise<SignupAction>),
  envFile: string | undefined,
  io: Io,
): Promise<void> {
  if (process.versions.bun === undefined) {
    const { runOnBun } = await import("./spawn.ts");
    return runOnBun(process.argv.slice(1));
  }
  const { operateSignups, OperatorError } = await import("../server/signup/admin.ts");
  const environment = await withEnvFile(envFile, io);
  try {
    const given = typeof action === "function" ? await action() : action;
    for await (const text of operateSignups(given, environment)) await io.writeOut(text);
  } catch (error) {
    throw error instanceof OperatorError ? toCliError(error) : error;
  }
}
