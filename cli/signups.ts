import type { Command } from "commander";
import { exampleHelp } from "./help.ts";
import type { Io } from "./io.ts";
import { explainServer } from "./server-failure.ts";

/** `handtools signups`: what an operator does with the stored addresses. It needs Bun. */
export function defineSignupsCommand(command: Command, io: Io): void {
  command
    .description(
      "Count, export or delete the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
    )
    .addHelpText(
      "after",
      exampleHelp(["handtools signups count", "handtools signups export ada@example.org"]),
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
}

type Action = { name: "count" } | { name: "export" | "delete"; email: string };

async function operate(action: Action, io: Io): Promise<void> {
  if (process.versions.bun === undefined) {
    const { runOnBun } = await import("./bun.ts");
    return runOnBun(process.argv.slice(1));
  }
  const { operateSignups, StartFailure } = await import("../server/signup/operate.ts");
  try {
    await io.writeOut(await operateSignups(action, io.environment));
  } catch (error) {
    throw error instanceof StartFailure ? explainServer(error) : error;
  }
}
