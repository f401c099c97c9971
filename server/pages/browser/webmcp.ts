/**
 * Registers the site's tools with the browser's agents (WebMCP), with the names, descriptions and
 * schemas of the API. They run in the page, so that no input leaves it. Does nothing in a browser
 * without WebMCP.
 */
export async function registerWebMcpTools(): Promise<void> {
  const { modelContext } = document;
  if (!modelContext) return;
  const tools = await readTools();
  await Promise.allSettled(
    tools.map(({ name, title, description, input_schema }) =>
      modelContext.registerTool({
        name,
        title,
        description,
        inputSchema: input_schema,
        execute: (input) => run(name, input),
        annotations: { readOnlyHint: true },
      }),
    ),
  );
}

/** The part of a tool's description in `GET /api/tools` that agents need. */
interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
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

/** The tool's result or `{ error }`. A thrown error would reach the agent without its message. */
async function run(name: string, input: unknown): Promise<object> {
  try {
    const { runInPage } = await import("./run-in-page.ts");
    return await runInPage(name, input);
  } catch (error) {
    const message = `The tool did not load: ${error instanceof Error ? error.message : error}`;
    return { error: { code: "unreachable", message } };
  }
}
