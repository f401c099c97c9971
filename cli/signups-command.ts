import { type Command, Option } from "commander";
import type { SignupAction } from "../server/signup/operate.ts";
import { toCliError } from "./commands.ts";
import type { Io } from "./io.ts";
import { exampleHelp } from "./options.ts";

/** `handtools signups`: what an operator does with the stored addresses. It needs Bun. */
export function defineSignupsCommand(command: Command, io: Io): void {
  command
    .description(
      "Count, export, delete, sync, back up or verify the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
    )
    .addHelpText(
      "after",
      exampleHelp([
        "handtools signups count",
        "handtools signups export ada@example.org",
        "handtools signups export --format csv",
        "handtools signups sync",
        "handtools signups backup backup.sqlite",
      ]),
    );
  command
    .command("count")
    .description("print how many addresses are stored")
    .action(() => operate({ name: "count" }, io));
  command
    .command("export")
    .description("print all that is stored of an address as JSON, or of all addresses")
    .argument("[email]", "one address; all when left out")
    .addOption(
      new Option("--format <format>", "of all addresses: JSON lines, or CSV for a spreadsheet")
        .choices(["jsonl", "csv"])
        .default("jsonl"),
    )
    .action((email: string | undefined, { format }: { format: "jsonl" | "csv" }) =>
      operate(email === undefined ? { name: "export-all", format } : { name: "export", email }, io),
    );
  command
    .command("delete")
    .description("delete an address")
    .argument("<email>")
    .action((email: string) => operate({ name: "delete", email }, io));
  command
    .command("sync")
    .description("bring the addresses that the newsletter does not have yet to listmonk")
    .option("--name <text>", "create people whom listmonk does not have, under this name")
    .option("--yes", "do it; without it, only print what would be done")
    .action(({ name, yes = false }: { name?: string; yes?: boolean }) =>
      operate({ name: "sync", yes, personName: name }, io),
    );
  command
    .command("backup")
    .description("copy the SQLite database to a new file; the server may run meanwhile")
    .argument("<file>")
    .action((file: string) => operate({ name: "backup", file }, io));
  command
    .command("verify")
    .description("search the database, or a backup of it, for damage")
    .argument("[file]")
    .action((file?: string) => operate({ name: "verify", file }, io));
}

async function operate(action: SignupAction, io: Io): Promise<void> {
  if (process.versions.bun === undefined) {
    const { runOnBun } = await import("./run-on-bun.ts");
    return runOnBun(process.argv.slice(1));
  }
  const { operateSignups, StartupError } = await import("../server/signup/operate.ts");
  try {
    for await (const text of operateSignups(action, io.environment)) await io.writeOut(text);
  } catch (error) {
    throw error instanceof StartupError ? toCliError(error) : error;
  }
}
