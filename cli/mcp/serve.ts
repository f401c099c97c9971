import { addExamples, type DefineCommand } from "../options.ts";

const defineServe: DefineCommand = (command) => {
  command
    .description(
      "Serve the tools to an AI client by the Model Context Protocol, over standard input and output.",
    )
    .action(async () => {
      const { serveTools } = await import("../../server/mcp/stdio.ts");
      await serveTools();
    });
  addExamples(command, ["handtools mcp serve"]);
};

export const commands = { serve: defineServe };
