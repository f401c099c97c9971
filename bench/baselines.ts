import { mailFilterContract } from "../schemas/mail-filter.ts";
import { mcpConfigContract } from "../schemas/mcp-config.ts";
import { HEALTH_PATH } from "../server/paths.ts";
import { requireTool } from "../src/call-tool.ts";
import { toolPath } from "../src/describe-tool.ts";
import { toJsonSchema } from "../src/json-schema.ts";
import { runTool, type Tool } from "../src/tool.ts";
import { packagesFolder } from "../test/integration/programs.ts";

/*
 * The servers with which handtools is compared, each in a process of its own, which prints its port:
 * bun bench/baselines.ts fastify
 */

const address = { hostname: "127.0.0.1", port: 0 };
const load = (name: string) => import(Bun.resolveSync(name, packagesFolder("bench")));

/** The tools, without validation. */
const tools = [mailFilterContract, mcpConfigContract].map((contract) => {
  const tool: Tool = requireTool(contract.name);
  return {
    path: toolPath(contract),
    input: contract.input,
    run: (input: unknown) => tool.run(input, {}),
  };
});

const servers = {
  /** The least work of any server: a fixed answer, and an input parsed for a result that is written. */
  async bare() {
    const tool = requireTool(mailFilterContract.name);
    const result = runTool(tool, mailFilterContract.example_input);
    return Bun.serve({
      ...address,
      async fetch(request) {
        if (request.url.endsWith(HEALTH_PATH)) return new Response('{"status":"pass"}');
        await request.json();
        return Response.json(result);
      },
    }).port;
  },

  /** Fastify, which validates with ajv. */
  async fastify() {
    const app = (await load("fastify")).fastify();
    for (const { path, input, run } of tools) {
      // Without $schema, because ajv rejects a dialect other than its own.
      const { $schema: _, ...body } = toJsonSchema(input);
      app.post(path, { schema: { body } }, async (request: { body: unknown }) => run(request.body));
    }
    await app.listen({ host: address.hostname, port: address.port });
    return app.server.address().port;
  },

  /** Hono with its validator for valibot. */
  async hono() {
    const app = new (await load("hono")).Hono();
    const { vValidator } = await load("@hono/valibot-validator");
    for (const { path, input, run } of tools) {
      app.post(path, vValidator("json", input), (context: HonoContext) =>
        context.json(run(context.req.valid("json"))),
      );
    }
    return Bun.serve({ ...address, fetch: app.fetch }).port;
  },
};

interface HonoContext {
  readonly req: { valid(target: "json"): unknown };
  json(value: object): Response;
}

export type Baseline = keyof typeof servers;

const name = process.argv[2];
if (name !== "bare" && name !== "fastify" && name !== "hono") throw new Error("which server?");
process.stdout.write(`${await servers[name]()}\n`);
