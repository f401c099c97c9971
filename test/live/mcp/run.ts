import { join } from "node:path";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { installPackages, NEWER_NODE } from "../programs.ts";
import { checkConformance } from "./conformance.ts";

/*
 * Lets the conformance suite of the Model Context Protocol use a server: `npm run test:mcp`. It needs the npm registry, once.
 */

const PACKAGES = [NEWER_NODE, "@modelcontextprotocol/conformance@0.2.0-alpha.12"];

const checks = new Checks();
const folder = await installPackages("mcp", PACKAGES);
const installed = (path: string) => join(folder, "node_modules", path);
const program = (name: string) => [installed("node/bin/node"), installed(`.bin/${name}`)];
const server = await startServer();
try {
  const url = `http://localhost:${server.port}/mcp`;
  await checkConformance(program("conformance"), url, folder, checks);
} finally {
  server.signal("SIGTERM");
  await server.exited();
}
checks.close();
