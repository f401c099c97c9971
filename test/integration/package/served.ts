import { delimiter, dirname } from "node:path";
import { type ToolContract, tools } from "../../../schemas/index.ts";
import { CATALOG_PATH, LLMS_PATH, toolPagePath } from "../../../server/paths.ts";
import { type AltchaToSolve, solveAltcha } from "../../server/support/altcha.ts";
import { sqlite, type TestDatabase } from "../../server/support/databases.ts";
import { firstLine } from "../../server/support/servers.ts";
import { type Program, resultText } from "./command-line.ts";
import type { Checks } from "./linters.ts";

const SIGNUP = "/api/beta-signup";

const EMAIL = "ada@site.test";

const toolPath = ({ segment }: ToolContract): string => `/api/tools/${segment}`;

const PATHS = [
  ...["/api/health", "/api/tools", `${SIGNUP}/challenge`, "/openapi.json", CATALOG_PATH],
  ...[LLMS_PATH, "/robots.txt", "/sitemap.xml", "/", "/tools", "/docs"],
  ...tools.flatMap((tool) => [toolPath(tool), toolPagePath(tool)]),
];

/** `serve` answers everything there is, and ends at a signal. */
export async function checkServer(program: Program, checks: Checks): Promise<void> {
  const name = `${program.name} serve`;
  const database = await sqlite.create();
  const child = Bun.spawn([...program.command, "serve", "--port", "0"], {
    cwd: program.folder,
    env: {
      ...process.env,
      LOG: "off",
      DATABASE_URL: database.url,
      // Node and Deno find Bun here.
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    },
    stdout: "pipe",
    stderr: "pipe",
    timeout: 60_000,
  });
  const { text: printed } = await firstLine(child.stdout);
  const [base = ""] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
  checks.add(
    `${name} starts`,
    base === "" ? (await Bun.readableStreamToText(child.stderr)) || "it is silent" : "",
  );
  const paths = new Set(PATHS);
  // The loop also asks for linked paths: the assets, and the files that they load.
  for (const path of paths) {
    const { text, problem } = await ask(`${base}${path}`);
    checks.add(`${name} answers ${path}`, problem);
    for (const [asset] of text.matchAll(/\/assets\/[\w.-]+/g)) paths.add(asset);
  }
  for (const tool of tools) {
    const { text, problem } = await ask(`${base}${toolPath(tool)}`, tool.example_input);
    const wanted = JSON.stringify(JSON.parse(resultText(tool.name, tool.example_input)));
    checks.same(`${name} runs ${tool.name}`, problem || text, wanted);
  }
  checks.same(`${name} signs up`, await signUp(base, database), "1 row");
  child.kill("SIGTERM");
  checks.same(`${name} ends at SIGTERM`, String(await child.exited), "0");
  await database.drop();
}

/** Signs up as a page does; how many rows that made, or what went wrong. */
async function signUp(base: string, database: TestDatabase): Promise<string> {
  const { text, problem } = await ask(`${base}${SIGNUP}/challenge`);
  if (problem !== "") return problem;
  const challenge: AltchaToSolve = JSON.parse(text);
  const answer = await ask(`${base}${SIGNUP}`, {
    email: EMAIL,
    name: "Ada Lovelace",
    ctaSource: "hero",
    turnstileToken: await solveAltcha(challenge),
  });
  if (answer.problem !== "") return answer.problem;
  const rows = await database.query(`SELECT * FROM signups WHERE email = '${EMAIL}'`);
  return `${rows.length} row`;
}

/** Gets, or posts when there is something to post; a problem is empty when there is none. */
async function ask(url: string, body?: unknown): Promise<{ text: string; problem: string }> {
  const post = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  try {
    const response = await fetch(url, body === undefined ? {} : post);
    const text = await response.text();
    return { text, problem: response.status === 200 ? "" : `status ${response.status}` };
  } catch (error) {
    return { text: "", problem: String(error) };
  }
}
