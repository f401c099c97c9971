import { runChecks } from "../runner.ts";
import { bridgeChecks } from "./bridge.ts";
import { makeWorkspace } from "./cases.ts";
import { claudeCodeChecks } from "./claude-code.ts";
import { codexChecks } from "./codex.ts";
import { installChecks } from "./install.ts";
import { onRequestChecks } from "./on-request.ts";
import { startRemoteProbe } from "./probes.ts";
import { installClients, unpackWorkbench } from "./programs.ts";
import { vscodeChecks } from "./vscode.ts";

/*
 * Checks the generated configs with the real programs: `npm run test:clients`. It installs them
 * from npm (1.3 GB, once), starts them in temporary homes, and lets them talk to servers of its
 * own on loopback.
 */

const bin = await installClients();
const workbench = await unpackWorkbench();
const workspace = makeWorkspace();
const probe = startRemoteProbe("127.0.0.1");
try {
  await runChecks([
    ...codexChecks(bin, workspace, probe),
    ...claudeCodeChecks(bin, workspace, probe),
    ...installChecks(bin, workspace, probe),
    ...onRequestChecks(bin, workspace, probe),
    ...bridgeChecks(bin, workspace, probe),
    ...vscodeChecks(workbench, workspace, probe),
  ]);
} finally {
  probe.stop();
  workspace.remove();
}
