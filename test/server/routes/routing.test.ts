import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tools } from "../../../schemas/index.ts";
import { tries } from "../../support/runs.ts";
import { expectFailure } from "../support/expect.ts";
import { COST, exchange, MCP, MCP_INPUT } from "../support/http.ts";
import { runningServer } from "../support/servers.ts";

const server = runningServer();

const HEALTHY = { status: 200, body: '{"status":"pass"}' };

const get = (target: string, host = "Host: tools.test\r\n", version = "1.1") =>
  exchange(server.port, `GET ${target} HTTP/${version}\r\n${host}\r\n`);

/** Paths that end like a known one, or become a known one when cut in the wrong place. */
const STRANGERS = [
  "/foobar/api/tools",
  "/foobar/mcp",
  "/a/b/c/d/api/tools",
  "/x/api/tools/mcp-config-generator",
];

/** A balancer sends none in its checks, and Caddy lets one with a user through. */
const UNUSABLE_HOSTS = [
  ["none, in HTTP/1.0", "", "1.0"],
  ["with a user in it", "Host: u:p@a\r\n", "1.1"],
] as const;

describe.each(UNUSABLE_HOSTS)("with a Host %s", (_, host, version) => {
  test("each path is found", async () => {
    expect(await get("/api/health", host, version)).toMatchObject(HEALTHY);
    expect(await get("/api/health?a=/b/c", host, version)).toMatchObject(HEALTHY);
    const list = await get("/api/tools", host, version);
    expect(JSON.parse(list.body).tools).toHaveLength(tools.length);
    const description = await get(COST, host, version);
    expect(JSON.parse(description.body).name).toBe("automation_cost_calculator");
    const result = await get(`${MCP}?input=${encodeURIComponent(MCP_INPUT)}`, host, version);
    expect(JSON.parse(result.body).name).toBe("files");
  });

  test.each([
    [MCP, MCP_INPUT, '"name":"files"'],
    ["/mcp", '{"jsonrpc":"2.0","id":1,"method":"ping"}', '"result":{}'],
  ])("a POST to %s is answered: %s", async (path, input, part) => {
    const response = await exchange(
      server.port,
      `POST ${path} HTTP/${version}\r\n${host}Content-Type: application/json\r\nContent-Length: ${input.length}\r\n\r\n${input}`,
    );
    expect(response).toMatchObject({ status: 200, body: expect.stringContaining(part) });
  });
});

/** A proxy's rules for a path would else not hold for it. */
test.each(UNUSABLE_HOSTS)(
  "no other path with a Host %s leads to a tool",
  async (_, host, version) => {
    for (const path of STRANGERS) {
      expectFailure(await get(path, host, version), "not_found");
    }
  },
);

const pathParts = fc.constantFrom(
  ...["/", "/", "api", "tools", "health", ".", "..", "%2F", "%2e", "%", "%zz", ";", "*", ":", "@"],
  ...["mcp-config-generator", "//", "/api/tools/", "\\", "é", "✓", "?", "constructor", "__proto__"],
);

test("whatever the path, the answer is documented and no internal error", async () => {
  const paths = fc.array(pathParts, { maxLength: 8 }).map((parts) => `/${parts.join("")}`);
  const hosts = fc.constantFrom("Host: x\r\n", "Host: a:99999\r\n");
  const property = fc.asyncProperty(paths, hosts, async (path, host) => {
    const response = await exchange(server.port, `GET ${path} HTTP/1.1\r\n${host}\r\n`);
    if (response.status === 308) {
      // The dots of a path are resolved: /tools/. is /tools/. All slashes at its end go, and /tools is
      // the home page.
      const { pathname, search } = new URL(`http://x${path}`);
      const near = pathname === "/tools" ? "/" : pathname.toLowerCase().replace(/\/+$/, "");
      expect(response.headers.location).toBe(near + search);
    } else if (response.status !== 200) expectFailure(response, "not_found");
    expect(server.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
  await fc.assert(property, tries(80));
});
