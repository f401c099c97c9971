/*
 * Checks the generated configs with the real programs: `npm run test:clients`. It installs them
 * from npm (600 MB, once), starts them in temporary homes, and lets them talk to servers of its
 * own on loopback.
 */
import { bridgeChecks } from "./bridge.ts";
import { claudeCodeChecks } from "./claude-code.ts";
import { codexChecks } from "./codex.ts";
import { installClients, unpackWorkbench } from "./packages.ts";
import { startRemoteProbe } from "./remote-probe.ts";
import { vscodeChecks } from "./vscode.ts";
import { makeWorkspace } from "./workspace.ts";

const print = (line: string) => process.stdout.write(`${line}\n`);

const bin = await installClients();
const workbench = await unpackWorkbench();
const workspace = makeWorkspace();
const probe = startRemoteProbe("127.0.0.1");
const count = { passed: 0, failed: 0 };
try {
  const checks = [
    ...codexChecks(bin, workspace, probe),
    ...claudeCodeChecks(bin, workspace, probe),
    ...bridgeChecks(bin, workspace, probe),
    ...vscodeChecks(workbench, workspace, probe),
  ];
  for (const { title, run } of checks) {
    try {
      await run();
      count.passed++;
      print(`ok    ${title}`);
    } catch (error) {
      count.failed++;
      print(`FAIL  ${title}\n  ${error instanceof Error ? error.message : error}`);
    }
  }
} finally {
  probe.stop();
  workspace.remove();
}
print(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
