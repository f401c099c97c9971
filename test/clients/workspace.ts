import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder with a home, a project, and a program of a difficult name. */
export function makeWorkspace() {
  const root = mkdtempSync(join(tmpdir(), "handtools-clients-"));
  const home = join(root, "home");
  const project = join(root, "project");
  mkdirSync(home);
  mkdirSync(project);
  const hostileCommand = join(root, `it's "run" $HOME %PATH% é`);
  symlinkSync(process.execPath, hostileCommand);
  return {
    home,
    project,
    hostileCommand,
    /** Where a local probe writes what it got. */
    report: join(root, "report.json"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type Workspace = ReturnType<typeof makeWorkspace>;
