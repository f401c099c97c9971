import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../../server/support/servers.ts";
import { runChecks } from "../runner.ts";
import { atOnceChecks } from "./at-once.ts";
import { bridgeChecks } from "./bridge.ts";
import { makeWorkspace } from "./cases.ts";
import { claudeCodeChecks } from "./claude-code.ts";
import { codexChecks } from "./codex.ts";
import { homeChecks, syncCheck } from "./homes.ts";
import { installChecks } from "./install.ts";
import { modelCallChecks } from "./model-calls.ts";
import { onRequestChecks } from "./on-request.ts";
import { startRemoteProbe } from "./probes.ts";
import { installClients, unpackWorkbench } from "./programs.ts";
import { serverJsonChecks } from "./server-json.ts";
import { TRIED_CLIENTS, triedClients } from "./tried-clients.ts";
import { vscodeChecks } from "./vscode.ts";

/*
 * Checks the generated configs with the real programs: `npm run test:clients`. It installs them
 * from npm (1.3 GB, once), starts them in temporary homes, and lets them talk to servers of its
 * own on loopback, and to the servers of four manifests from npm.
 */

const installed = await installClients();
const bin = join(installed, "node_modules/.bin");
const workbench = await unpackWorkbench(installed);
const workspace = makeWorkspace();
const probe = startRemoteProbe("127.0.0.1");
const server = await startServer();
try {
  const shown = await runChecks([
    ...codexChecks(bin, workspace, probe),
    ...claudeCodeChecks(bin, workspace, probe),
    ...installChecks(bin, workspace, probe),
    ...homeChecks(bin, workspace),
    syncCheck(bin, workspace),
    ...atOnceChecks(workspace),
    ...onRequestChecks(bin, workspace, probe),
    ...(await serverJsonChecks(bin, workspace)),
    ...modelCallChecks(bin, workspace, `${server.base}/mcp`),
    ...bridgeChecks(bin, workspace, probe),
    ...vscodeChecks(workbench, workspace, probe),
  ]);
  writeFileSync(TRIED_CLIENTS, `${JSON.stringify(triedClients(shown), null, 2)}\n`);
} finally {
  probe.stop();
  server.signal("SIGTERM");
  await server.exited();
  workspace.remove();
}
