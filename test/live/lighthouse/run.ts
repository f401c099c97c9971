import { join } from "node:path";
import * as v from "valibot";
import { CHROMIUM } from "../../../scripts/chromium.ts";
import { PAGES } from "../../browser/support/page.ts";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { execute, installPackages, NEWER_NODE } from "../programs.ts";

/*
 * Lets Lighthouse look at every page of a running server: `npm run test:lighthouse`. It needs the
 * npm registry, once, and Chromium.
 */

/** In each category, of 100. */
const LEAST_SCORE = 95;

/** The documents by which agents find a site. Lighthouse scores the category without them where it finds none. */
const AGENT_AUDITS = ["llms-txt", "ard-schema"];

const FLAGS = ["--quiet", "--output=json", "--no-enable-error-reporting"];
const CHROMIUM_FLAGS = "--headless=new --no-sandbox --disable-gpu --enable-features=WebMCP";

const ReportSchema = v.object({
  categories: v.record(
    v.string(),
    v.object({
      title: v.string(),
      score: v.nullable(v.number()),
      auditRefs: v.array(v.object({ id: v.string(), weight: v.number() })),
    }),
  ),
  audits: v.record(v.string(), v.object({ score: v.nullable(v.number()), title: v.string() })),
});
type Report = v.InferOutput<typeof ReportSchema>;

const checks = new Checks();
const installed = await installPackages("lighthouse", [NEWER_NODE, "lighthouse@13.5.0"]);
const lighthouse = ["node/bin/node", "lighthouse/cli/index.js"].map((path) =>
  join(installed, "node_modules", path),
);
const server = await startServer();
try {
  for (const path of PAGES)
    addScores(path, await reportOf(`http://localhost:${server.port}${path}`));
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
checks.close();

async function reportOf(url: string): Promise<Report> {
  const command = [...lighthouse, url, ...FLAGS, `--chrome-flags=${CHROMIUM_FLAGS}`];
  const { out, error } = await execute(command, {
    cwd: import.meta.dir,
    environment: { CHROME_PATH: CHROMIUM },
  });
  if (!out.startsWith("{")) throw new Error(`Lighthouse has no report on ${url}: ${error}`);
  return v.parse(ReportSchema, JSON.parse(out));
}

function addScores(path: string, { categories, audits }: Report): void {
  for (const { title, score, auditRefs } of Object.values(categories)) {
    const points = Math.round((score ?? 0) * 100);
    const losses = auditRefs
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => audits[id]?.title);
    const name = `${path} ${title} ${points}`;
    checks.add(
      points === 100 ? name : `${name} (${losses.join("; ")})`,
      points < LEAST_SCORE ? `at least ${LEAST_SCORE} is wanted` : "",
    );
  }
  for (const id of AGENT_AUDITS) {
    const { score, title } = audits[id] ?? { score: null, title: id };
    checks.add(`${path} ${title}`, score === 1 ? "" : `the score is ${score}`);
  }
}
