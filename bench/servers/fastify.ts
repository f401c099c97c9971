import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import { jsonSchema } from "../../src/json-schema.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { entryOf } from "../packages.ts";

type Input = Parameters<typeof mcpConfigTool.run>[0];

/** What we use of Fastify. */
interface Fastify {
  post(
    path: string,
    options: { readonly schema: { readonly body: object } },
    handler: (request: { readonly body: Input }) => Promise<object>,
  ): void;
  listen(address: { readonly host: string; readonly port: number }): Promise<string>;
}

const { fastify }: { fastify: () => Fastify } = await import(entryOf("fastify"));

// Fastify validates with ajv, which takes the dialect to be its own.
const { $schema: _, ...body } = jsonSchema(mcpConfigContract.input);

const app = fastify();
app.post("/api/tools/mcp-config-generator", { schema: { body } }, async (request) =>
  mcpConfigTool.run(request.body, {}),
);
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
