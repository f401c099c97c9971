import { addExamples, type Define } from "../options.ts";

/** `handtools mcp serve`: serves the tools to an AI client. */
const defineServe: Define = (command) => {
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
