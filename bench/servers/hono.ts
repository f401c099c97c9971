import { mcpConfigContract } from "../../schemas/mcp-config.ts";
import { mcpConfigTool } from "../../src/mcp-config/mcp-config.ts";
import { entryOf } from "../packages.ts";

type Input = Parameters<typeof mcpConfigTool.run>[0];

/** What we use of Hono and its validator. */
interface Context {
  readonly req: { valid(target: "json"): Input };
  json(value: object): Response;
}
interface Hono {
  post(path: string, validate: object, handler: (context: Context) => Response): void;
  fetch(request: Request): Response | Promise<Response>;
}
type Validator = (target: "json", schema: object) => object;

const { Hono }: { Hono: new () => Hono } = await import(entryOf("hono"));
const { vValidator }: { vValidator: Validator } = await import(entryOf("@hono/valibot-validator"));

const app = new Hono();
app.post(
  "/api/tools/mcp-config-generator",
  vValidator("json", mcpConfigContract.input),
  (context) => context.json(mcpConfigTool.run(context.req.valid("json"), {})),
);
Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT), fetch: app.fetch });
