import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { HEALTH_PATH } from "../server/links.ts";
import { requireTool } from "../src/call-tool.ts";
import { toolPath } from "../src/describe-tool.ts";
import { jsonSchema } from "../src/json-schema.ts";
import { runTool } from "../src/tool.ts";
import { entryOf } from "./package.ts";

/*
 * The servers with which handtools is compared, each in a process of its own:
 * bun bench/baselines.ts fastify 3000
 */

const address = { hostname: "127.0.0.1", port: Number(process.argv[3]) };

/** The tools, without validation. */
const TOOLS = [mailFilterContract, mcpConfigContract].map((contract) => ({
  path: toolPath(contract),
  input: contract.input,
  run: (input: unknown) => requireTool(contract.name).run(input, {}),
}));

/** The least work of any server: a fixed answer, and an input parsed for a result that is written. */
function bare(): void {
  const example = mailFilterContract.example_input;
  const result = runTool(requireTool(mailFilterContract.name), example);
  const fixed = { headers: { "Content-Type": "application/health+json" } };
  const json = { headers: { "Content-Type": "application/json" } };
  Bun.serve({
    ...address,
    async fetch(request) {
      if (request.url.endsWith(HEALTH_PATH)) return new Response('{"status":"pass"}', fixed);
      await request.json();
      return new Response(JSON.stringify(result), json);
    },
  });
}

/** Fastify, which validates with ajv. */
async function fastifyWithAjv(): Promise<void> {
  const { fastify }: { fastify: () => Fastify } = await import(entryOf("fastify"));
  const app = fastify();
  for (const { path, input, run } of TOOLS) {
    // Without $schema, because ajv rejects a dialect other than its own.
    const { $schema: _, ...body } = jsonSchema(input);
    app.post(path, { schema: { body } }, async ({ body }) => run(body));
  }
  await app.listen({ host: address.hostname, port: address.port });
}

/** The part of Fastify that is used here. */
interface Fastify {
  post(path: string, options: object, handler: (request: { body: unknown }) => object): void;
  listen(address: object): Promise<string>;
}

/** Hono with its validator for valibot. */
async function honoWithValibot(): Promise<void> {
  const { Hono }: { Hono: new () => Hono } = await import(entryOf("hono"));
  const validator = await import(entryOf("@hono/valibot-validator"));
  const app = new Hono();
  for (const { path, input, run } of TOOLS) {
    app.post(path, validator.vValidator("json", input), (context) =>
      context.json(run(context.req.valid("json"))),
    );
  }
  Bun.serve({ ...address, fetch: app.fetch });
}

/** The part of Hono that is used here. */
interface Hono {
  post(path: string, validate: unknown, handler: (context: Context) => Response): void;
  fetch(request: Request): Response | Promise<Response>;
}
interface Context {
  readonly req: { valid(target: "json"): unknown };
  json(value: object): Response;
}

const servers: Readonly<Record<string, () => void | Promise<void>>> = {
  bare,
  fastify: fastifyWithAjv,
  hono: honoWithValibot,
};

const start = servers[process.argv[2] ?? ""];
if (!start) throw new Error(`name one of ${Object.keys(servers).join(", ")}`);
await start();
