import { type Command, Option } from "commander";
import type { SignupAction } from "../server/signup/admin.ts";
import { envFileOption, withEnvFile } from "./env-file.ts";
import { toCliError, UsageError } from "./errors.ts";
import { readText, requireReadable, sourceName } from "./files/read-file.ts";
import type { Io } from "./io.ts";
import { addExamples, isGiven, onlyPath } from "./options.ts";

/** `handtools signups`: works on the stored addresses. It needs Bun. */
export function defineSignupsCommand(command: Command, io: Io): void {
  command.description(
    "Count, export, import, delete or sync the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
  );
  addExamples(command, [
    "handtools signups count",
    "handtools signups export ada@example.org",
    "handtools signups export --format csv",
    "handtools signups sync",
  ]);
  const envFile = envFileOption();
  const subcommand = (name: string, examples: readonly string[]) =>
    addExamples(
      command.command(name).addOption(envFile),
      examples.map((words) => `handtools signups ${words}`),
    );
  const run = (action: SignupAction | (() => Promise<SignupAction>)) => {
    const used = command.commands.find((subcommand) => isGiven(subcommand, envFile));
    return operate(action, used && onlyPath(used, envFile), io);
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
      new Option("--format <format>", "of all addresses: JSON lines, or CSV for a spreadsheet")
        .choices(["jsonl", "csv"])
        .default("jsonl"),
    )
    .action(
      (email: string | undefined, { format }: { format: "jsonl" | "csv" }, command: Command) => {
        if (email === undefined) return run({ name: "export-all", format });
        if (command.getOptionValueSource("format") === "cli") {
          throw new UsageError(["--format: is for all addresses; one is printed as JSON"]);
        }
        return run({ name: "export", email });
      },
    );
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
  subcommand("waiting", ["waiting"])
    .description("print the addresses that the newsletter does not have, and why, as JSON lines")
    .action(() => run({ name: "waiting" }));
  subcommand("resend", ["resend ada@example.org", "resend --unconfirmed"])
    .description("ask people who have not confirmed yet to do so, by listmonk's mail")
    .argument("[email]")
    .option("--unconfirmed", "everybody who has not confirmed")
    .option("--yes", "do it; without it, --unconfirmed only prints how many they are")
    .action((email: string | undefined, options: { unconfirmed?: true; yes?: true }) => {
      if ((email === undefined) !== (options.unconfirmed === true)) {
        throw new UsageError(["EMAIL: give an address, or --unconfirmed"]);
      }
      return run({ name: "resend", email, yes: options.yes === true });
    });
  subcommand("import", ["import signups.jsonl"])
    .description("add the addresses of an export in JSON lines; - is standard input")
    .argument("<file>")
    .action((file: string) =>
      run(async () => ({ name: "import", text: await readFilled(requirePath(file), io) })),
    );
  subcommand("sync", ["sync", "sync --yes", "sync --name Friend --yes"])
    .description("bring the addresses that the newsletter does not have yet to listmonk")
    .option("--all", "also those that are synced: for a list that was changed or made again")
    .option("--name <text>", "create people whom listmonk does not have, under this name")
    .option("--yes", "do it; without it, only print what would be done")
    .action(({ name, all = false, yes = false }: { name?: string; all?: boolean; yes?: boolean }) =>
      run({ name: "sync", all, yes, personName: name }),
    );
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
