import { callTool } from "../../src/call-tool.ts";

// The library's call, with nothing around it but Bun.
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  async fetch(request) {
    const outcome = callTool("mcp_config_generator", await request.json());
    if (!outcome.ok) return new Response(null, { status: 400 });
    const headers = { "Content-Type": "application/json" };
    return new Response(JSON.stringify(outcome.value), { headers });
  },
});
