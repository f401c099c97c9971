import { delimiter, dirname } from "node:path";
import { tools } from "../../../schemas/index.ts";
import { toolPagePath } from "../../../server/paths.ts";
import { firstLine } from "../../server/support/servers.ts";
import type { Program } from "./command-line.ts";
import type { Checks } from "./linters.ts";

const PATHS = [
  ...["/api/health", "/api/beta-signup/challenge", "/openapi.json", "/", "/docs"],
  ...tools.map((tool) => toolPagePath(tool)),
];

/** `serve` has all its files, and ends at a signal. */
export async function checkServer(program: Program, checks: Checks): Promise<void> {
  const name = `${program.name} serve`;
  const child = Bun.spawn([...program.command, "serve", "--port", "0"], {
    cwd: program.folder,
    env: {
      ...process.env,
      LOG: "off",
      DATABASE_URL: `file:${program.folder}/signups.sqlite`,
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
  child.kill("SIGTERM");
  checks.same(`${name} ends at SIGTERM`, String(await child.exited), "0");
}

/** A problem is empty when there is none. */
async function ask(url: string): Promise<{ text: string; problem: string }> {
  try {
    const response = await fetch(url);
    const text = await response.text();
    return { text, problem: response.status === 200 ? "" : `status ${response.status}` };
  } catch (error) {
    return { text: "", problem: String(error) };
  }
}
