/**
 * Registers the site's tools with the browser's agents (WebMCP), with the names, descriptions and
 * schemas of the API. Does nothing in a browser without WebMCP.
 */
export async function registerTools(): Promise<void> {
  const { modelContext } = document;
  if (!modelContext) return;
  const tools = await readTools();
  await Promise.allSettled(tools.map((tool) => register(modelContext, tool)));
}

/** The part of a description of `GET /api/tools` that agents in the browser need. */
interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly endpoint: string;
  readonly input_schema: object;
}

/** No tools if the API cannot be reached; the page itself works without them. */
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

/**
 * Browsers may start to reject unknown schema keywords (webmachinelearning/webmcp pull request 289).
 * They do not know `outputSchema` yet (its pull request 254).
 */
async function register(context: WebMCP.ModelContext, tool: ToolDescription): Promise<void> {
  try {
    await context.registerTool(toolOf(tool, tool.input_schema));
  } catch {
    await context.registerTool(toolOf(tool, withCommonKeywords(tool.input_schema)));
  }
}

const toolOf = (tool: ToolDescription, inputSchema: object): WebMCP.ModelContextTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema,
  execute: (input, { signal }) => run(tool.endpoint, input, signal),
  annotations: { readOnlyHint: true },
});

/** The schema without its less common keywords. The API validates the input anyway. */
const withCommonKeywords = (schema: object): object =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ["$schema", "format", "propertyNames"].includes(key) ? undefined : value,
    ),
  );

/** The API's result or its `{ error }`. A thrown error would reach the agent without its message. */
async function run(endpoint: string, input: object, signal: AbortSignal): Promise<unknown> {
  try {
    // The endpoint's path alone counts: the page may be open under another host name of the server.
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
