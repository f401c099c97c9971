import { tools } from "../schemas/index.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { callTool } from "../src/call-tool.ts";
import { toolPath } from "../src/describe-tool.ts";
import { jsonSchema } from "../src/json-schema.ts";
import { mcpConfigTool } from "../src/mcp-config/mcp-config.ts";
import { entryOf } from "./packages.ts";

/*
 * The servers with which handtools is compared, each in a process of its own:
 * PORT=3000 bun bench/baselines.ts fastify
 */

const address = { hostname: "127.0.0.1", port: Number(process.env.PORT) };
const TOOL_PATH = toolPath(mcpConfigContract);

/** A fixed answer, by Bun alone. */
function bareHealth(): void {
  const headers = { "Content-Type": "application/health+json" };
  Bun.serve({ ...address, fetch: () => new Response('{"status":"pass"}', { headers }) });
}

/** The least work of any server: it parses the input, and writes a prepared result. */
function bareJson(): void {
  const headers = { "Content-Type": "application/json" };
  let result: unknown;
  Bun.serve({
    ...address,
    async fetch(request) {
      const input: unknown = await request.json();
      result ??= resultOf(new URL(request.url).pathname, input);
      return new Response(JSON.stringify(result), { headers });
    },
  });
}

function resultOf(path: string, input: unknown): unknown {
  const contract = tools.find((tool) => toolPath(tool) === path);
  const outcome = contract && callTool(contract.name, input);
  if (!outcome?.ok) throw new Error(`no result for ${path}`);
  return outcome.value;
}

/** Fastify, which validates with ajv. */
async function fastifyWithAjv(): Promise<void> {
  const { fastify }: { fastify: () => Fastify } = await import(entryOf("fastify"));
  // Without $schema, because ajv rejects a dialect other than its own.
  const { $schema: _, ...body } = jsonSchema(mcpConfigContract.input);
  const app = fastify();
  app.post(TOOL_PATH, { schema: { body } }, async (request) => mcpConfigTool.run(request.body, {}));
  await app.listen({ host: address.hostname, port: address.port });
}

/** The part of Fastify that is used here. */
interface Fastify {
  post(
    path: string,
    options: { readonly schema: { readonly body: object } },
    handler: (request: { readonly body: Input }) => Promise<object>,
  ): void;
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
}

type Input = Parameters<typeof mcpConfigTool.run>[0];

/** Hono with its validator for valibot. */
async function honoWithValibot(): Promise<void> {
  const { Hono }: { Hono: new () => Hono } = await import(entryOf("hono"));
  const { vValidator }: { vValidator: Validator } = await import(
    entryOf("@hono/valibot-validator")
  );
  const app = new Hono();
  app.post(TOOL_PATH, vValidator("json", mcpConfigContract.input), (context) =>
    context.json(mcpConfigTool.run(context.req.valid("json"), {})),
  );
  Bun.serve({ ...address, fetch: app.fetch });
}

/** The parts of Hono and its validator that are used here. */
interface Hono {
  post(path: string, validate: object, handler: (context: Context) => Response): void;
  fetch(request: Request): Response | Promise<Response>;
}
interface Context {
  readonly req: { valid(target: "json"): Input };
  json(value: object): Response;
}
type Validator = (target: "json", schema: object) => object;

const servers: Readonly<Record<string, () => void | Promise<void>>> = {
  "bare-health": bareHealth,
  "bare-json": bareJson,
  fastify: fastifyWithAjv,
  hono: honoWithValibot,
};

const start = servers[process.argv[2] ?? ""];
if (!start) throw new Error(`name one of ${Object.keys(servers).join(", ")}`);
await start();
