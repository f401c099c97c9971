import type { Command } from "commander";
import { variableHelp, variables } from "../schemas/variables.ts";
import { envFileOption, withEnvFile } from "./env-file.ts";
import { toCliError } from "./errors.ts";
import type { Io } from "./io.ts";
import { addExamples, addOptions, type Define, filledOption } from "./options.ts";

/** `handtools serve`: the HTTP server. On Node and Deno it starts itself again on Bun. */
const defineServe: Define = (command, io) => {
  command.description(
    "Run the HTTP server until SIGTERM or Ctrl-C. It needs Bun. The environment configures it; a wrong value stops the start.",
  );
  addOptions(
    command,
    filledOption("--port <number>", "the port to listen on; 0 chooses a free one (PORT)"),
    filledOption("--host <address>", "the address to listen on (HOST)"),
    envFileOption(),
  );
  command.addHelpText("after", () => environmentHelp(command));
  addExamples(command, ["handtools serve", "BASE_URL=https://tools.example.com handtools serve"]);
  command.action(async ({ port, host, envFile }: ServeFlags) => {
    if (process.versions.bun === undefined) {
      const { runOnBun } = await import("./spawn.ts");
      return runOnBun(process.argv.slice(1));
    }
    const environment = await withEnvFile(envFile, io);
    await startServer({
      ...environment,
      ...(port !== undefined && { PORT: port }),
      ...(host !== undefined && { HOST: host }),
    });
  });
};

interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly envFile?: string;
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

async function startServer(environment: Io["environment"]): Promise<void> {
  const { serve, OperatorError } = await import("../server/main.ts");
  try {
    await serve(environment);
  } catch (error) {
    throw error instanceof OperatorError ? toCliError(error) : error;
  }
}

/** `handtools mcp`: serves the tools to an AI client. */
const defineMcp: Define = (command) => {
  command
    .description(
      "Serve the tools to an AI client by the Model Context Protocol, over standard input and output.",
    )
    .action(async () => {
      const { serveTools } = await import("../server/mcp/stdio.ts");
      await serveTools();
    });
  addExamples(command, ["handtools mcp"]);
};

export const commands = { serve: defineServe, mcp: defineMcp };
