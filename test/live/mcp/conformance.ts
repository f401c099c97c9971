import type { Checks } from "../package/linters.ts";
import { execute } from "../programs.ts";

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

/** Runs the conformance suite of the Model Context Protocol on a server. */
export async function checkConformance(
  suite: readonly string[],
  url: string,
  cwd: string,
  checks: Checks,
): Promise<void> {
  for (const [scenario, version, expected] of SCENARIOS) {
    const flags = ["--url", url, "--scenario", scenario, "--spec-version", version];
    const { out, error } = await execute([...suite, "server", ...flags], { cwd });
    const failed = failedChecks(`${out}${error}`);
    const ran = /Passed: (\d+)\/(\d+)/.exec(`${out}${error}`)?.[0] ?? "no result";
    checks.add(
      `${scenario} ${version}: ${ran}`,
      ran !== "no result" && failed.join() === expected.toSorted().join()
        ? ""
        : `failed: ${failed.join(", ")}`,
    );
  }
}

function failedChecks(output: string): string[] {
  const ids = output
    .split("\n")
    .filter((line) => line.includes("FAILURE"))
    .flatMap((line) => /\[(sep-[\w-]+) *\]/.exec(line)?.[1] ?? []);
  return [...new Set(ids)].toSorted();
}
