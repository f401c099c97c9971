import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Checks } from "../package/linters.ts";
import { execute } from "../programs.ts";

const INSTALLED = ".claude/skills/handtools/SKILL.md";

/** The program that agents' users run installs the skill that a server publishes. */
export async function checkSkill(
  skills: readonly string[],
  server: string,
  folder: string,
  checks: Checks,
): Promise<void> {
  const cwd = mkdtempSync(join(folder, "skills-"));
  const add = ["add", server, "--agent", "claude-code", "--copy", "--yes"];
  const environment = { HOME: cwd, DISABLE_TELEMETRY: "1", DO_NOT_TRACK: "1", NO_COLOR: "1" };
  const { exitCode, out, error } = await execute([...skills, ...add], { cwd, environment });
  const published = await fetch(`${server}/.well-known/agent-skills/handtools/SKILL.md`);
  checks.same(
    "skills add installs the skill as it is published",
    exitCode === 0 ? readFileSync(join(cwd, INSTALLED), "utf8") : out + error,
    await published.text(),
  );
  rmSync(cwd, { recursive: true });
}
