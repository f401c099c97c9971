// A fixed answer, by Bun alone.
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT),
  fetch: () =>
    new Response('{"status":"pass"}', { headers: { "Content-Type": "application/health+json" } }),
});
