import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../runner.ts";
import { PATH } from "./proxies.ts";

const RULES = join(import.meta.dir, "../../../deploy/alerts.yml");

/** Series of a site, a sample a minute in promtool's notation. */
type Series = Readonly<Record<string, string>>;

const requests = (status: number, path = "/api/beta-signup") =>
  `handtools_http_requests_total{job="handtools",route="${path}",status="${status}"}`;

const QUIET: Series = {
  handtools_newsletter_failures_total: "0x120",
  handtools_signups_waiting: "0x120",
  [requests(200)]: "0+10x120",
  [requests(403)]: "0+1x120",
  [requests(429)]: "0+1x120",
  'up{job="handtools",instance="a"}': "1x120",
  'probe_success{job="handtools-ready",instance="a"}': "1x120",
};

/** Series that fire each alert, and series that are near it and do not. */
const FIRED: readonly (readonly [string, Series, readonly string[]])[] = [
  ["a site that works", {}, []],
  [
    "a newsletter that takes nobody",
    { handtools_newsletter_failures_total: "0+1x120" },
    ["HandtoolsNewsletterFails"],
  ],
  [
    "somebody who waits for two hours",
    { handtools_signups_waiting: "1x120" },
    ["HandtoolsSignupsWait"],
  ],
  ["somebody who waits for half an hour", { handtools_signups_waiting: "0x80 1x40" }, []],
  ["an internal error", { [requests(500)]: "0x98 1x20" }, ["HandtoolsInternalErrors"]],
  [
    "a database that is away",
    { 'probe_success{job="handtools-ready",instance="a"}': "1x90 0x30" },
    ["HandtoolsNotReady"],
  ],
  ["a server that is away", { 'up{job="handtools",instance="a"}': "1x90 0x30" }, ["HandtoolsDown"]],
  ["a wrong key", { [requests(403)]: "0+11x120" }, ["HandtoolsSignupsRejected"]],
  ["visitors who are all one", { [requests(429)]: "0+11x120" }, ["HandtoolsSignupsRejected"]],
  [
    "three rejected signups in a day",
    { [requests(200)]: "0x120", [requests(403)]: "0x100 3x20", [requests(429)]: "0x120" },
    [],
  ],
];

const ALERTS = [...new Set(FIRED.flatMap(([, , alerts]) => alerts))];

export const alertChecks: readonly Check[] = [
  {
    title: `promtool has nothing to say about alerts.yml, and each of its ${ALERTS.length} alerts fires when it should`,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), "handtools-alerts-"));
      const file = join(folder, "tests.json");
      writeFileSync(file, JSON.stringify({ rule_files: [RULES], tests: FIRED.map(testOf) }));
      try {
        promtool("check", "rules", RULES);
        promtool("test", "rules", file);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  },
];

/** promtool would compare the texts of an alert, too, so it is asked for the names. */
function testOf([name, changes, alerts]: (typeof FIRED)[number]): object {
  const series = Object.entries({ ...QUIET, ...changes });
  const firing = alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 }));
  return {
    name,
    interval: "1m",
    input_series: series.map(([key, values]) => ({ series: key, values })),
    promql_expr_test: [
      {
        expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "100m",
        exp_samples: firing,
      },
    ],
  };
}

function promtool(...words: readonly string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", ...words], { env: { PATH } });
  if (exitCode !== 0) throw new Error(`${stdout}${stderr}`);
}
