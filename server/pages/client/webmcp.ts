/** A tool as `GET /api/tools` describes it, as far as agents in the browser need it. */
interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly endpoint: string;
  readonly input_schema: object;
}

/**
 * Registers the site's tools with the browser's agents (WebMCP), each with the name, description
 * and schema of the API. A browser without WebMCP is left alone.
 */
export async function registerTools(): Promise<void> {
  const { modelContext } = document;
  if (!modelContext) return;
  const tools = await readTools();
  await Promise.allSettled(tools.map((tool) => register(modelContext, tool)));
}

/** Agents find nothing where the API cannot be reached, and the page is as good without them. */
async function readTools(): Promise<readonly ToolDescription[]> {
  try {
    const response = await fetch("/api/tools");
    if (!response.ok) return [];
    const { tools }: { readonly tools: readonly ToolDescription[] } = await response.json();
    return tools;
  } catch {
    return [];
  }
}

/** Browsers may come to refuse keywords that they do not know (WebMCP's issue 289). */
async function register(context: WebMCP.ModelContext, tool: ToolDescription): Promise<void> {
  try {
    await context.registerTool(toolOf(tool, tool.input_schema));
  } catch {
    await context.registerTool(toolOf(tool, withCommonKeywords(tool.input_schema)));
  }
}

/** The API checks the input whatever the schema says. */
const withCommonKeywords = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ["$schema", "format", "propertyNames"].includes(key) ? undefined : value,
    ),
  );

const toolOf = (tool: ToolDescription, inputSchema: object): WebMCP.ModelContextTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema,
  execute: (input, { signal }) => run(tool.endpoint, input, signal),
  annotations: { readOnlyHint: true },
});

/** The API's result, or its `{ error }`: what is thrown would reach the agent without a message. */
async function run(endpoint: string, input: object, signal: AbortSignal): Promise<unknown> {
  try {
    // The endpoint's path alone: the page may be open under another name of its server.
    const response = await fetch(new URL(endpoint).pathname, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(input),
      signal,
    });
    return await response.json();
  } catch (error) {
    const message = `The server cannot be reached: ${error instanceof Error ? error.message : error}`;
    return { error: { code: "unreachable", message } };
  }
}
