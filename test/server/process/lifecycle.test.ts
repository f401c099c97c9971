import { expect, test } from "bun:test";
import net from "node:net";
import { commandLine } from "../../cli/support.ts";
import { expectSoon } from "../support/expect.ts";
import { COST, openConnection, rawPost } from "../support/http.ts";
import { startServer } from "../support/servers.ts";

const BODY = JSON.stringify({ zaps: [{ action_steps: 1, runs_per_month: 1 }] });

/** A request whose body is only half sent; `finish` sends the rest and gives the response. */
async function halfSent({ port, hasTaken }: Awaited<ReturnType<typeof startServer>>) {
  const connection = await openConnection(port);
  const request = rawPost(COST, BODY, "Connection: close\r\n");
  connection.send(request.subarray(0, -10));
  await hasTaken();
  return {
    finish: () => {
      connection.send(request.subarray(-10));
      return connection.closed();
    },
    closed: connection.closed,
  };
}

test("serve on this machine says where it is, and nothing about production, and answers there", async () => {
  const server = await startServer();
  expect(JSON.parse(server.firstLine)).toEqual({
    time: expect.any(String),
    level: "info",
    message: `Handtools is at http://localhost:${server.port} (listening on 127.0.0.1 port ${server.port})`,
  });
  const list = await (await fetch(`${server.base}/api/tools`)).text();
  expect(list).toInclude(`"endpoint":"http://localhost:${server.port}/api/tools/`);
  server.signal("SIGTERM");
  expect(await server.exited()).toBe(0);
  const [, ...others] = (await server.output()).trimEnd().split("\n");
  expect(others.map((line) => JSON.parse(line))).toMatchObject([{ route: "/api/tools" }]);
});

test("serve stops gracefully: it says so, finishes what it began, and takes nothing new", async () => {
  const server = await startServer();
  const request = await halfSent(server);
  const lastHealth = server.lastHealth();
  server.signal("SIGTERM");
  expect(await lastHealth).toBe('503 {"status":"fail"}');
  expect(await request.finish()).toStartWith("HTTP/1.1 200 OK");
  expect(await server.exited()).toBe(0);
});

test("serve answers all that is sent on open connections while it stops, and ends each of them", async () => {
  const server = await startServer();
  let answers = 0;
  const connections = await Promise.all(
    Array.from({ length: 20 }, () => openConnection(server.port)),
  );
  const busy = connections.map(async (connection) => {
    for (;;) {
      connection.send(rawPost(COST, BODY));
      const { status, headers } = await connection.response("POST");
      answers += 1;
      if (headers.connection === "close") return status;
    }
  });
  await expectSoon(() => answers > 100);
  server.signal("SIGTERM");
  expect(await Promise.all(busy)).toEqual(Array(20).fill(200));
  expect(await server.exited()).toBe(0);
});

test("serve waits for DRAIN_MS before it stops, or for a second signal", async () => {
  const server = await startServer(undefined, { DRAIN_MS: "600000" });
  let hasEnded = false;
  void server.exited(20_000).then(() => {
    hasEnded = true;
  });
  server.signal("SIGTERM");
  const stopsAt = performance.now() + 500;
  await expectSoon(async () => (await fetch(`${server.base}/readyz`)).status === 503);
  // Requests are answered for longer than without the variable.
  await expectSoon(async () => {
    expect((await fetch(`${server.base}/api/tools`)).status).toBe(200);
    return performance.now() > stopsAt;
  });
  server.signal("SIGTERM");
  await expectSoon(() => hasEnded);
  expect(await server.exited()).toBe(0);
});

test.concurrent("serve stops gracefully while a newsletter that never answers is asked about the list", async () => {
  const silent = net.createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const server = await startServer(undefined, {
    LISTMONK_URL: `http://127.0.0.1:${port}`,
    LISTMONK_API_USER: "user",
    LISTMONK_API_TOKEN: "token",
    LISTMONK_LIST_ID: "1",
  });
  server.signal("SIGTERM");
  // It waits for the call, which has three seconds.
  expect(await server.exited(10_000)).toBe(0);
  silent.close();
});

test.concurrent("serve cuts off what is in flight at a second signal", async () => {
  const server = await startServer();
  const request = await halfSent(server);
  server.signal("SIGINT");
  await server.lastHealth();
  // A signal that comes at once is an echo of the first.
  await Bun.sleep(1_000);
  server.signal("SIGINT");
  // Well before the end of the grace period.
  expect(await server.exited(5_000)).toBe(0);
  expect(await request.closed()).toBe("");
});

test("serve says when the port is taken by another handtools, with which it shares none", async () => {
  const first = await startServer();
  const second = await startServer(["--port", String(first.port)]);
  expect(await second.exited()).toBe(1);
  expect(await second.error()).toStartWith(`error: port ${first.port} of 127.0.0.1 is in use`);
  first.signal("SIGTERM");
  expect(await first.exited()).toBe(0);
});

test.each([[["BASE_URL", "LOG"]], [["CHALLENGE_SECRET", "RATE_LIMIT"]], [["PRICE_BOOK"]]])(
  "serve names every variable of a part that is wrong: %j",
  async (names) => {
    const environment = Object.fromEntries(names.map((name) => [name, "x"]));
    const { exitCode, error } = await commandLine(["serve"], { environment });
    expect({ exitCode, names: error.match(/(?<=^error: )[A-Z_]+(?=: )/gm)?.map(String) }).toEqual({
      exitCode: 2,
      names,
    });
  },
);
