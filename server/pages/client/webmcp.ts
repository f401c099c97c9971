/**
 * Registers the site's tools with the browser's agents (WebMCP), with the names, descriptions and
 * schemas of the API. Does nothing in a browser without WebMCP.
 */
export async function registerTools(): Promise<void> {
  const { modelContext } = document;
  if (!modelContext) return;
  const tools = await readTools();
  await Promise.allSettled(
    tools.map(({ name, title, description, endpoint, input_schema }) =>
      modelContext.registerTool({
        name,
        title,
        description,
        inputSchema: input_schema,
        execute: (input, { signal }) => run(endpoint, input, signal),
        annotations: { readOnlyHint: true },
      }),
    ),
  );
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
