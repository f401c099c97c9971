import { startFakeListmonk, USER } from "../../server/support/fake-listmonk/server.ts";

/** The stand-in for listmonk, where the page expects it. */
const { url } = startFakeListmonk();

Bun.serve({
  hostname: "127.0.0.1",
  port: 9000,
  fetch: (request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(url + pathname + search, {
      method: request.method,
      headers: request.headers,
      body: request.body,
    });
  },
});
process.stdout.write(`listening, for ${USER}\n`);
