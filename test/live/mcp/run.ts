import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { execute, outputOf } from "../package/programs.ts";

/*
 * Runs the conformance suite of the Model Context Protocol on a server: `npm run test:mcp`. It
 * needs the npm registry, once.
 */

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../../node_modules/.cache/handtools-mcp");

/** The suite needs a newer Node than the project does, so it brings its own. */
const PACKAGES = ["node@24.21.0", "@modelcontextprotocol/conformance@0.2.0-alpha.12"];

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
      // The tools never change, so the server takes no subscriptions.
      "sep-2575-server-sends-subscription-ack",
      "sep-2575-server-tags-subscription-id",
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

const checks = new Checks();
const suite = await installSuite();
const server = await startServer();
try {
  for (const [scenario, version, expected] of SCENARIOS) {
    const url = `http://localhost:${server.port}/mcp`;
    const flags = ["--url", url, "--scenario", scenario, "--spec-version", version];
    const { out, error } = await execute([...suite, "server", ...flags], { cwd: CACHE });
    const failed = failedChecks(`${out}${error}`);
    const ran = /Passed: (\d+)\/(\d+)/.exec(`${out}${error}`)?.[0] ?? "no result";
    checks.add(
      `${scenario} ${version}: ${ran}`,
      ran !== "no result" && failed.join() === expected.toSorted().join()
        ? ""
        : `failed: ${failed.join(", ")}`,
    );
  }
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
checks.close();

function failedChecks(output: string): string[] {
  const ids = output
    .split("\n")
    .filter((line) => line.includes("FAILURE"))
    .flatMap((line) => /\[(sep-[\w-]+) *\]/.exec(line)?.[1] ?? []);
  return [...new Set(ids)].toSorted();
}

/** Installs the suite where it is missing, and gives the command that runs it. */
async function installSuite(): Promise<readonly string[]> {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, "package.json");
  // The package "node" fetches the program for this machine when it is installed.
  if (!existsSync(manifest)) {
    writeFileSync(manifest, '{ "private": true, "allowScripts": { "node": true } }\n');
  }
  const { out } = await execute(["npm", "ls", "--depth=0", ...PACKAGES], { cwd: CACHE });
  if (!PACKAGES.every((name) => out.includes(` ${name}`))) {
    // By force, because npm itself runs on the older Node.
    const install = ["npm", "install", "--force", "--no-audit", "--no-fund", "--save-exact"];
    await outputOf([...install, ...PACKAGES], { cwd: CACHE });
  }
  const installed = (path: string) => join(CACHE, "node_modules", path);
  return [installed("node/bin/node"), installed("@modelcontextprotocol/conformance/dist/index.js")];
}
