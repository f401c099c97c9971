import { type Command, Option } from "commander";
import { variableHelp, variables } from "../schemas/variables.ts";
import type { OperatorError, SignupAction } from "../server/signup/signups-command.ts";
import { CliError, UsageError } from "./cli-error.ts";
import { readText, sourceName } from "./files/read-file.ts";
import type { Io } from "./io.ts";
import { addExamples, addOptions, type DefineCommand, nonEmptyOption } from "./options.ts";

const defineHttpServer: DefineCommand = (command, io) => {
  command.description(
    "Run the HTTP server until SIGTERM or Ctrl-C. It needs Bun. Environment variables configure it; the server does not start if one is wrong.",
  );
  addOptions(
    command,
    nonEmptyOption("--port <number>", "the port to listen on; 0 chooses a free one (PORT)"),
    nonEmptyOption("--host <address>", "the host to listen on (HOST)"),
    envFileOption(),
  );
  command.addHelpText("after", () => environmentHelp(command));
  addExamples(command, ["handtools serve", "BASE_URL=https://tools.example.com handtools serve"]);
  command.action(async ({ port, host, envFile }: Readonly<Record<string, string | undefined>>) => {
    await runWithServerEnvironment(envFile, io, async (environment) => {
      const { serve } = await import("../server/main.ts");
      await serve({ ...environment, ...(port && { PORT: port }), ...(host && { HOST: host }) });
    });
  });
};

function environmentHelp(command: Command): string {
  const help = command.createHelp();
  help.prepareContext({});
  const width = Math.max(...variables.map(({ name }) => name.length));
  const lines = variables.map((variable) =>
    help.formatItem(variable.name, width, variableHelp(variable), help),
  );
  return `\nEnvironment:\n${lines.join("\n")}`;
}

const defineSignups: DefineCommand = (command, io) => {
  command.description(
    "Count, export, import, delete or sync the addresses that have signed up, in the database of DATABASE_URL. It needs Bun.",
  );
  addExamples(command, [
    "handtools signups count",
    "handtools signups export ada@example.org",
    "handtools signups export --format csv",
    "handtools signups sync",
  ]);
  const subcommand = (name: string, examples: readonly string[], ...options: readonly Option[]) =>
    addExamples(
      addOptions(command.command(name), envFileOption(), ...options),
      examples.map((words) => `handtools signups ${name} ${words}`.trimEnd()),
    );
  /** @param makeAction runs only on Bun, because Bun cannot read what Node has read from standard input. */
  const run = ({ envFile }: SignupFlags, makeAction: () => SignupAction | Promise<SignupAction>) =>
    runWithServerEnvironment(envFile, io, async (environment) => {
      const { runSignupsAction } = await import("../server/signup/signups-command.ts");
      const texts = runSignupsAction(await makeAction(), environment);
      for await (const text of texts) await io.writeOut(text);
    });

  subcommand("count", ["", "--env-file handtools.env"])
    .description("print how many addresses are stored")
    .action((options: SignupFlags) => run(options, () => ({ name: "count" })));

  const format = new Option(
    "--format <format>",
    "the format for all addresses: JSON lines (the default), or CSV for a spreadsheet",
  ).choices(["jsonl", "csv"]);
  subcommand("export", ["> signups.jsonl", "--format csv > signups.csv", "ada@example.org"], format)
    .description("print the stored data of one address as JSON, or of all addresses")
    .argument("[email]", "one address; without it, all")
    .action((email: string | undefined, options: SignupFlags) => {
      const { format } = options;
      if (email === undefined) {
        return run(options, () => ({ name: "export-all", format: format ?? "jsonl" }));
      }
      if (format)
        throw new UsageError([
          "--format: only for an export of all addresses; a single address is always JSON",
        ]);
      return run(options, () => ({ name: "export", email }));
    });

  subcommand(
    "delete",
    ["ada@example.org"],
    new Option("--with-subscriber", "delete the subscriber in listmonk too"),
  )
    .description("delete an address")
    .argument("<email>")
    .action((email: string, options: SignupFlags) =>
      run(options, () => ({ name: "delete", email, newsletter: options.withSubscriber === true })),
    );

  subcommand("import", ["signups.jsonl"])
    .description("add the addresses of an export in JSON lines; - is standard input")
    .argument("<file>")
    .action((file: string, options: SignupFlags) =>
      run(options, async () => ({ name: "import", text: await readNonEmptyText(file, io) })),
    );

  subcommand(
    "sync",
    ["", "--yes", "--subscriber-name Friend --yes"],
    new Option("--all", "include synced addresses, for a list that was changed or recreated"),
    nonEmptyOption(
      "--subscriber-name <name>",
      "create missing subscribers in listmonk, with this name",
    ),
    new Option("--yes", "sync to listmonk; without it, only list the addresses"),
  )
    .description("list the unsynced addresses and why, as JSON lines, or sync them to listmonk")
    .action((options: SignupFlags) => {
      const { all = false, yes = false, subscriberName: personName } = options;
      if (personName !== undefined && !yes)
        throw new UsageError(["--subscriber-name: needs --yes"]);
      return run(options, () => ({ name: "sync", all, yes, personName }));
    });
};

/** The flags of all subcommands. */
interface SignupFlags {
  readonly envFile?: string;
  readonly format?: "jsonl" | "csv";
  readonly withSubscriber?: true;
  readonly all?: true;
  readonly yes?: true;
  readonly subscriberName?: string;
}

/** More than a million rows. */
const MAX_IMPORT_BYTES = 512 * 1024 * 1024;

/** @throws {UsageError} for an empty file: a lost list must not look like success. */
async function readNonEmptyText(file: string, io: Io): Promise<string> {
  if (file === "") throw new UsageError(["FILE: must not be empty"]);
  const text = await readText(file, io, MAX_IMPORT_BYTES);
  if (text.trim() === "") throw new UsageError([`${sourceName(file)}: is empty`]);
  return text;
}

/**
 * Runs work that needs Bun, with the environment and the variables of a file. Other runtimes start
 * the same command line on Bun.
 */
async function runWithServerEnvironment(
  envFile: string | undefined,
  io: Io,
  work: (environment: Io["environment"]) => Promise<void>,
): Promise<void> {
  const { runOnBun } = await import("./run-on-bun.ts");
  await runOnBun(async () => {
    const environment = await withEnvFile(envFile, io);
    try {
      await work(environment);
    } catch (error) {
      if (!isOperatorError(error)) throw error;
      throw new CliError(error.problems, error);
    }
  });
}

/** By name, because each bundle of the server has its own class. */
const isOperatorError = (error: unknown): error is OperatorError =>
  error instanceof Error && error.name === "OperatorError";

const envFileOption = () =>
  nonEmptyOption(
    "--env-file <path>",
    "read variables from a file; the environment takes precedence",
  );

async function withEnvFile(path: string | undefined, io: Io): Promise<Io["environment"]> {
  if (path === undefined) return io.environment;
  const { parseEnv } = await import("node:util");
  const text = await readText(path, io);
  const variables = parseEnv(text);
  if (Object.keys(variables).length === 0) {
    throw new UsageError([`${path}: must have lines such as NAME=VALUE`]);
  }
  const [, cut = ""] = TRUNCATED_VALUE.exec(text) ?? [];
  if (cut !== "") {
    throw new UsageError([`${path}: ${cut.trim()}: is cut off at the #; put the value in quotes`]);
  }
  const [open] = Object.entries(variables).find(([, value]) => value?.includes("\n")) ?? [];
  if (open !== undefined) {
    throw new UsageError([`${path}: ${open}: must not have a line break; close its quote`]);
  }
  // An empty variable counts as unset. Compose files pass many of them.
  const nonEmpty = Object.entries(io.environment).filter(([, value]) => value !== "");
  return { ...variables, ...Object.fromEntries(nonEmpty) };
}

/** Finds a value that the parser ends at a `#`, but systemd does not. */
const TRUNCATED_VALUE = /^([^#=\n]*)=(?!\s*["'`])[^#\n]*[^\s#]#/m;

export const commands = { serve: defineHttpServer, signups: defineSignups };
