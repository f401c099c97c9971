import {
  asQuery,
  fullyEncoded,
  inputOfBytes,
  MCP,
  MCP_INPUT,
  openConnection,
  readResponse,
} from "../../server/support/http.ts";
import { minuteWithSeconds } from "../../server/support/rate-limit.ts";
import { startServer } from "../../server/support/servers.ts";
import { freePort } from "../../support/free-port.ts";
import { type Check, expectSame } from "../runner.ts";
import { HOST, type ProxyKind, type RunningProxy } from "./proxies.ts";

/** The server behind a proxy of a kind, and what a visitor of the site sees then. */
export function checksOf(kind: ProxyKind): readonly Check[] {
  return CHECKS.map(([title, check, count = 1]) => ({
    title: `${kind.name}: ${title}`,
    run: async () => {
      const metrics = await freePort();
      const servers = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          startServer(undefined, { ...CONFIGURATION, METRICS: index === 0 ? `${metrics}` : "off" }),
        ),
      );
      try {
        await using proxy = await kind.start(...servers.map(({ port }) => port));
        await check({ kind, proxy, direct: servers[0]?.base ?? "", metrics });
      } finally {
        for (const server of servers) server.signal("SIGKILL");
        await Promise.all(servers.map((server) => server.exited()));
      }
    },
  }));
}

const ORIGIN = `https://${HOST}`;

/** As .env.example says that it is to be set behind a proxy of the same machine. */
const CONFIGURATION = {
  BASE_URL: ORIGIN,
  TRUSTED_PROXIES: "127.0.0.1",
  RATE_LIMIT: "2",
  CHALLENGE_SECRET: "a secret of these checks that is long enough",
};

interface Site {
  readonly kind: ProxyKind;
  readonly proxy: RunningProxy;
  /** The server's own origin, without the proxy. */
  readonly direct: string;
  /** The port of its metrics. */
  readonly metrics: number;
}

const CHALLENGE = "/api/beta-signup/challenge";
const JSON_TYPE = { "Content-Type": "application/json" };

/** With the number of servers behind the proxy, where it is not one. */
const CHECKS: readonly (readonly [string, (site: Site) => Promise<void>, number?])[] = [
  [
    "TLS with the site's name, and http is sent to https with path and query",
    async ({ proxy }) => {
      const page = await visit(proxy, "/");
      expectSame([page.status, page.text.startsWith("<!doctype html>")], [200, true]);
      expectSame(page.headers["strict-transport-security"], "max-age=31536000");
      const path = `/tools?a=b&input=${"x".repeat(40_000)}`;
      const { status, headers } = await visit(proxy, path, { scheme: "http" });
      expectSame([status, headers.location], [308, `${ORIGIN}${path}`]);
    },
  ],
  [
    "the server counts the visitor's own address, and no address that a visitor claims",
    async ({ proxy }) => {
      await minuteWithSeconds(8);
      const statuses = async (visits: readonly Visit[]) => {
        const all: number[] = [];
        for (const one of visits) all.push((await visit(proxy, CHALLENGE, one)).status);
        return all;
      };
      const one = { from: "127.0.0.2" };
      const other = { from: "127.0.0.3" };
      expectSame(await statuses([one, one, one, other]), [200, 200, 429, 200]);
      const claims = ["203.0.113.1", "127.0.0.1", "203.0.113.2, 127.0.0.1"].map((address) => ({
        ...one,
        headers: { "X-Forwarded-For": address },
      }));
      expectSame(await statuses(claims), [429, 429, 429]);
    },
  ],
  [
    "an input of 16 KiB passes by GET, however it is encoded, and a longer one is rejected by the server",
    async ({ proxy }) => {
      const longest = inputOfBytes(16_384);
      for (const protocol of ["--http1.1", "--http2"]) {
        for (const query of [asQuery(longest), `?input=${fullyEncoded(longest)}`]) {
          expectSame((await visit(proxy, MCP + query, { protocol })).status, 200);
        }
        const longer = `?input=${fullyEncoded(inputOfBytes(16_385))}`;
        const { status, text } = await visit(proxy, MCP + longer, { protocol });
        expectSame([status, JSON.parse(text).error.code], [413, "payload_too_large"]);
      }
    },
  ],
  [
    "the server rejects a body that is too long in JSON, and two megabytes are rejected at once",
    async ({ proxy, kind }) => {
      const post = (body: string) => visit(proxy, MCP, { body, headers: JSON_TYPE });
      const long = await post(inputOfBytes(16_385));
      expectSame([long.status, JSON.parse(long.text).error.code], [413, "payload_too_large"]);
      const { status, text } = await post("x".repeat(2_000_000));
      expectSame([status, kind.tooLarge.test(text)], [413, true]);
    },
  ],
  [
    "visitors see neither whether the database answers nor the metrics",
    async ({ proxy, direct, metrics }) => {
      expectSame((await fetch(`${direct}/readyz`)).status, 200);
      expectSame((await fetch(`http://127.0.0.1:${metrics}/metrics`)).status, 200);
      for (const path of ["/readyz", "/readyz?x", "/%72eadyz", "//readyz", "/metrics"]) {
        expectSame([path, (await visit(proxy, path)).status], [path, 404]);
      }
      expectSame((await visit(proxy, "/api/health")).text, '{"status":"pass"}');
    },
  ],
  [
    "a method that the server does not know takes neither of two servers away from others",
    async ({ proxy }) => {
      for (const protocol of ["--http1.1", "--http2"]) {
        for (const method of ["FOO", "BREW", "X", "FOO", "BREW", "X"]) {
          const { status, headers, text } = await visit(proxy, MCP, { method, protocol });
          expectSame([method, status, headers.allow], [method, 405, "GET, HEAD, POST, OPTIONS"]);
          expectSame(text, REJECTED("method_not_allowed"));
          expectSame(headers["content-type"], "application/json");
          expectSame(headers["strict-transport-security"], "max-age=31536000");
        }
        for (let times = 0; times < 8; times += 1) {
          expectSame((await visit(proxy, "/api/health")).text, '{"status":"pass"}');
        }
      }
      // The server answers known paths itself.
      const put = await visit(proxy, "/api/health", { method: "PUT" });
      expectSame([put.status, put.headers.allow], [405, "GET, HEAD"]);
    },
    2,
  ],
  [
    "who has many requests under way is rejected where the proxy limits it, and nobody else is",
    async ({ proxy, kind }) => {
      const from = "127.0.0.2";
      // Their bodies never come.
      const head = `POST ${MCP} HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 9\r\n\r\n`;
      const visitor = { from, host: HOST };
      const open = Array.from({ length: 10 }, () => openConnection(proxy.https, visitor));
      const connections = await Promise.all(open);
      try {
        for (const { send } of connections) send(head);
        await Bun.sleep(500);
        const started = performance.now();
        const { status, headers, text } = await visit(proxy, MCP + asQuery(MCP_INPUT), { from });
        const isSlow = performance.now() - started > 500;
        const rejected = [429, "1", REJECTED("rate_limited"), true];
        if (kind.limits) expectSame([status, headers["retry-after"], text, isSlow], rejected);
        else expectSame(status, 200);
        expectSame((await visit(proxy, "/assets/none.js", { from })).status, 404);
        expectSame((await visit(proxy, MCP + asQuery(MCP_INPUT))).status, 200);
      } finally {
        for (const { end } of connections) end();
      }
      await Bun.sleep(500);
      expectSame((await visit(proxy, MCP + asQuery(MCP_INPUT), { from })).status, 200);
    },
  ],
  [
    "a path that the server would read as another one is rejected",
    async ({ proxy }) => {
      const paths = ["/x/%2e%2e/api/health", "/x/.%2E/readyz", "/x/../api/health", "/./api/tools"];
      const backslashes = ["/x\\..\\readyz", "/\\readyz", "/api\\health", "/api/health\\?a=b"];
      for (const path of [...paths, "/api/tools/..", "/x/%2e%2e?a", ...backslashes]) {
        const { status, headers, text } = await visit(proxy, path, { protocol: "--http1.1" });
        expectSame([path, status], [path, 400]);
        expectSame(
          [headers["content-type"], text],
          ["application/json", REJECTED("invalid_request")],
        );
      }
      // A query is data, and so are dots within a name.
      for (const path of ["/api/health?a=/../b\\c", "/api/tools?%2e%2e/", "/docs?x=%5c"]) {
        expectSame([path, (await visit(proxy, path)).status], [path, 200]);
      }
      expectSame((await visit(proxy, "/api/a..b")).status, 404);
    },
  ],
];

/** The proxy's own answer in place of the server's. */
const REJECTED = (code: string) => `{"error":{"code":"${code}","message":"Request rejected"}}`;

interface Visit {
  readonly scheme?: "http" | "https";
  /** The visitor's address, one of this machine. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly method?: string;
  /** A flag of curl. */
  readonly protocol?: string;
}

/** Asks by curl, which knows the proxy by the site's name and trusts its certificate. */
async function visit(proxy: RunningProxy, path: string, asked: Visit = {}) {
  const {
    scheme = "https",
    from = "127.0.0.9",
    headers = {},
    body,
    method,
    protocol = "--http2",
  } = asked;
  const child = Bun.spawn(
    [
      ...["curl", "--silent", "--show-error", "--include", "--raw", "--max-time", "20", protocol],
      ...["--path-as-is", "--cacert", proxy.certificate, "--interface", from],
      ...["--connect-to", `${HOST}::127.0.0.1:${proxy[scheme]}`],
      ...Object.entries({ Expect: "", ...headers }).flatMap((field) => ["-H", field.join(": ")]),
      ...(method === undefined ? [] : ["--request", method]),
      ...(body === undefined ? [] : ["--data-binary", "@-"]),
      `${scheme}://${HOST}${path}`,
    ],
    { stdio: [new Blob([body ?? ""]), "pipe", "pipe"] },
  );
  const [bytes, error] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
  ]);
  // A server that has rejected a body need not read it.
  if ((await child.exited) !== 0 && bytes.length === 0) throw new Error(`${path}: ${error}`);
  const read = readResponse(Buffer.from(bytes), method ?? "GET", true);
  if (!read) throw new Error(`${path}: an answer without an end`);
  return { ...read.response, text: read.response.body };
}
