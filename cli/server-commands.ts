import type { Command } from "commander";
import { variableHelp, variables } from "../schemas/variables.ts";
import { envFileOption, withEnvFile } from "./env-file.ts";
import { toCliError } from "./errors.ts";
import type { Io } from "./io.ts";
import { addExamples, onlyFilled, valueOption } from "./options.ts";

/** `handtools serve`: the HTTP server. On Node and Deno it starts itself again on Bun. */
export function defineServeCommand(command: Command, io: Io): void {
  const port = valueOption("--port <number>", "the port to listen on; 0 chooses a free one (PORT)");
  const host = valueOption("--host <address>", "the address to listen on (HOST)");
  const envFile = envFileOption();
  command
    .description(
      "Run the HTTP server until SIGTERM or Ctrl-C. It needs Bun. The environment configures it; a wrong value stops the start.",
    )
    .addOption(port)
    .addOption(host)
    .addOption(envFile)
    .addHelpText("after", () => environmentHelp(command))
    .action(async () => {
      const flags = { PORT: onlyFilled(command, port), HOST: onlyFilled(command, host) };
      if (process.versions.bun === undefined) {
        const { runOnBun } = await import("./spawn.ts");
        return runOnBun(process.argv.slice(1));
      }
      const environment = await withEnvFile(onlyFilled(command, envFile), io);
      await startServer({ ...environment, ...withoutUndefined(flags) });
    });
  addExamples(command, ["handtools serve", "BASE_URL=https://tools.example.com handtools serve"]);
}

function environmentHelp(command: Command): string {
  const help = command.createHelp();
  help.prepareContext({});
  const width = Math.max(...variables.map(({ name }) => name.length));
  const lines = variables.map((variable) =>
    help.formatItem(variable.name, width, variableHelp(variable), help),
  );
  return `\nEnvironment:\n${lines.join("\n")}`;
}

const withoutUndefined = (flags: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));

async function startServer(environment: Io["environment"]): Promise<void> {
  const { serve, OperatorError } = await import("../server/main.ts");
  try {
    await serve(environment);
  } catch (error) {
    throw error instanceof OperatorError ? toCliError(error) : error;
  }
}

/** `handtools mcp`: serves the tools to an AI client. */
export function defineMcpCommand(command: Command): void {
  command
    .description(
      "Serve the tools to an AI client by the Model Context Protocol, over standard input and output.",
    )
    .action(async () => {
      const { serveTools } = await import("../server/mcp/stdio.ts");
      await serveTools();
    });
  addExamples(command, ["handtools mcp"]);
}
