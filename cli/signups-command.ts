import type { Command } from "commander";
import type { SignupAction } from "../server/signup/operate.ts";
import { toCliError } from "./commands.ts";
import type { Io } from "./io.ts";
import { exampleHelp } from "./options.ts";

/** `handtools signups`: what an operator does with the stored addresses. It needs Bun. */
export function defineSignupsCommand(command: Command, io: Io): void {
  command
    .description(
      "Count, export, delete, back up or verify the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
    )
    .addHelpText(
      "after",
      exampleHelp([
        "handtools signups count",
        "handtools signups export ada@example.org",
        "handtools signups backup backup.sqlite",
      ]),
    );
  command
    .command("count")
    .description("print how many addresses are stored")
    .action(() => operate({ name: "count" }, io));
  command
    .command("export")
    .description("print all that is stored of an address, as JSON")
    .argument("<email>")
    .action((email: string) => operate({ name: "export", email }, io));
  command
    .command("delete")
    .description("delete an address")
    .argument("<email>")
    .action((email: string) => operate({ name: "delete", email }, io));
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
