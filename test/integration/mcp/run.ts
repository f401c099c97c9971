import { join } from "node:path";
import { startServer } from "../../server/support/servers.ts";
import { execute, installPackages, NEWER_NODE } from "../programs.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";

/*
 * Lets the conformance suite of the Model Context Protocol use a server: `npm run test:integration mcp`. It needs
 * the npm registry, once.
 */

const LEGACY = "2025-11-25";
const MODERN = "2026-07-28";

/** Each scenario with the checks that ask for what a server of pure tools does not have. */
const SCENARIOS: readonly (readonly [string, string, readonly string[]])[] = [
  ["server-initialize", LEGACY, []],
  ["ping", LEGACY, []],
  ["tools-list", LEGACY, []],
  ["tools-list", MODERN, []],
  ["dns-rebinding-protection", LEGACY, []],
  ["dns-rebinding-protection", MODERN, []],
  ["http-header-validation", MODERN, []],
  [
    "server-stateless",
    MODERN,
    [
      // They call tools of a test server that log or need a capability of the client.
      "sep-2575-http-server-no-independent-requests-on-stream",
      "sep-2575-missing-capability-http-400",
      "sep-2575-server-no-log-without-loglevel",
      "sep-2575-server-rejects-undeclared-capability",
    ],
  ],
  [
    "caching",
    MODERN,
    // The server has neither prompts nor resources.
    [
      "sep-2549-prompts-list-caching-hints",
      "sep-2549-resources-list-caching-hints",
      "sep-2549-resources-templates-list-caching-hints",
    ],
  ],
];

const PACKAGES = [NEWER_NODE, "@modelcontextprotocol/conformance@0.2.0-alpha.12"];
const folder = await installPackages("mcp", PACKAGES);
const suite = ["node/bin/node", ".bin/conformance"].map((path) =>
  join(folder, "node_modules", path),
);

const checkOf = ([scenario, version, expected]: (typeof SCENARIOS)[number]): Check => ({
  title: `${scenario} ${version}`,
  run: async () => {
    const url = `http://localhost:${server.port}/mcp`;
    const flags = ["--url", url, "--scenario", scenario, "--spec-version", version];
    const { out, error } = await execute([...suite, "server", ...flags], { cwd: folder });
    const lines = `${out}${error}`.split("\n");
    const failed = lines
      .filter((line) => line.includes("FAILURE"))
      .flatMap((line) => /\[(sep-[\w-]+) *\]/.exec(line)?.[1] ?? []);
    if (!lines.some((line) => /Passed: \d+\/\d+/.test(line))) throw new Error(`${out}${error}`);
    expectSame([...new Set(failed)].toSorted(), expected.toSorted());
  },
});

const server = await startServer();
try {
  await runChecks(SCENARIOS.map(checkOf));
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
