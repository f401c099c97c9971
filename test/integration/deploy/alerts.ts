import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../runner.ts";
import { PATH } from "./proxies.ts";

const RULES = join(import.meta.dir, "../../../deploy/alerts.yml");

/** Series of a site, a sample a minute in promtool's notation. */
type Series = Readonly<Record<string, string>>;

const requests = (status: number) =>
  `handtools_http_requests_total{job="handtools",route="/api/beta-signup",status="${status}"}`;

const UP = 'up{job="handtools",instance="a"}';
const READY = 'probe_success{job="handtools-ready",instance="a"}';

const QUIET: Series = {
  handtools_newsletter_failures_total: "0x120",
  handtools_signups_waiting: "0x120",
  [requests(200)]: "0+10x120",
  [requests(403)]: "0+1x120",
  [requests(429)]: "0+1x120",
  [UP]: "1x120",
  [READY]: "1x120",
};

/** Series that fire each alert, and series that are near it and do not. */
const FIRED: readonly (readonly [string, Series, readonly string[]])[] = [
  ["a site that works", {}, []],
  [
    "no newsletter",
    { handtools_newsletter_failures_total: "0+1x120" },
    ["HandtoolsNewsletterFails"],
  ],
  ["two hours of waiting", { handtools_signups_waiting: "1x120" }, ["HandtoolsSignupsWait"]],
  ["half an hour of waiting", { handtools_signups_waiting: "0x80 1x40" }, []],
  ["an internal error", { [requests(500)]: "0x98 1x20" }, ["HandtoolsInternalErrors"]],
  ["no database", { [READY]: "1x90 0x30" }, ["HandtoolsNotReady"]],
  ["no server", { [UP]: "1x90 0x30" }, ["HandtoolsDown"]],
  ["a wrong key", { [requests(403)]: "0+11x120" }, ["HandtoolsSignupsRejected"]],
  ["visitors who are all one", { [requests(429)]: "0+11x120" }, ["HandtoolsSignupsRejected"]],
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
