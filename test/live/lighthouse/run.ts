import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { CHROMIUM } from "../../browser/support/browser.ts";
import { PAGES } from "../../browser/support/page.ts";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { execute, outputOf } from "../package/programs.ts";

/*
 * Lets Lighthouse look at every page of a running server: `npm run test:lighthouse`. It needs the
 * npm registry, once, and Chromium.
 */

/** Outside the project's own dependencies, and kept for the next time. */
const CACHE = join(import.meta.dir, "../../../node_modules/.cache/handtools-lighthouse");

/** Lighthouse wants a newer Node than the project does, so it brings its own. */
const PACKAGES = ["node@24.21.0", "lighthouse@13.5.0"];

/** In each category, of 100. */
const LEAST_SCORE = 95;

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
const lighthouse = await installLighthouse();
const server = await startServer();
try {
  for (const path of PAGES)
    addScores(path, await reportOf(`http://localhost:${server.port}${path}`));
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
checks.close();

/** Installs Lighthouse where it is missing, and gives the command that runs it. */
async function installLighthouse(): Promise<readonly string[]> {
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
  return [installed("node/bin/node"), installed("lighthouse/cli/index.js")];
}

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
}
