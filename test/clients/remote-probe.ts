import { answer } from "./protocol.ts";

/** An MCP server over HTTP that keeps the headers and the paths of its requests. */
export function startRemoteProbe(loopback: "127.0.0.1" | "::1") {
  const requests: { path: string; headers: Headers }[] = [];
  const server = Bun.serve({
    hostname: loopback,
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      if (request.method !== "POST") return new Response(null, { status: 405 });
      requests.push({ path: pathname + search, headers: request.headers });
      const reply = answer(JSON.parse(await request.text()));
      return reply ? Response.json(reply) : new Response(null, { status: 202 });
    },
  });
  return {
    url: String(server.url).replace(/\/$/, ""),
    /** The requests since the last time it was asked. */
    takeRequests: () => requests.splice(0),
    stop: () => server.stop(true),
  };
}

export type RemoteProbe = ReturnType<typeof startRemoteProbe>;
