import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../../server/support/servers.ts";
import { Checks } from "../package/linters.ts";
import { execute, installPackages } from "../programs.ts";
import { clientCompilerOptions, clientProgram } from "./client-program.ts";

/*
 * Proves the OpenAPI document as users get it: `npm run test:integration openapi`. It lints what a running
 * server serves, makes a typed client of it and lets that client talk to the server. It needs the
 * npm registry, once.
 */

const PACKAGES = [
  // The last one that runs on Node 20.
  "@redocly/cli@2.77.0",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
];

/** The linter has an opinion on localhost and on example.com. */
const BASE_URL = "https://handtools.dev";

const root = join(import.meta.dir, "../../..");
const checks = new Checks();
const packages = await installPackages("openapi", PACKAGES);
const program = (name: string) => join(packages, "node_modules/.bin", name);
const folder = mkdtempSync(join(packages, "client-"));
const server = await startServer(undefined, { LOG: "off", BASE_URL });
try {
  const document = await (await fetch(`${server.base}/openapi.json`)).text();
  await checkLint(document);
  await checkClient(document);
} finally {
  server.signal("SIGTERM");
  await server.exited();
  rmSync(folder, { recursive: true });
}
checks.close();

async function checkLint(document: string): Promise<void> {
  writeFileSync(join(folder, "openapi.json"), document);
  const command = [program("redocly"), "lint", "--extends=recommended-strict"];
  const { exitCode, out, error } = await execute([...command, "openapi.json"], {
    cwd: folder,
    environment: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  // In this set every warning is an error.
  checks.add("Redocly recommended-strict has nothing to say", exitCode === 0 ? "" : out + error);
}

async function checkClient(document: string): Promise<void> {
  writeFileSync(join(folder, "openapi.json"), document);
  writeFileSync(join(folder, "client.ts"), clientProgram(server.base));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: clientCompilerOptions, include: ["*.ts"] }),
  );
  const generated = await execute(
    [program("openapi-typescript"), "openapi.json", "--output", "api.d.ts"],
    { cwd: folder },
  );
  checks.add("openapi-typescript takes it", generated.exitCode === 0 ? "" : generated.error);
  const typed = await execute([join(root, "node_modules/.bin/tsc"), "-p", "."], { cwd: folder });
  checks.add("tsc takes the client, and rejects its wrong uses", typed.out);
  const ran = await execute([process.execPath, "client.ts"], { cwd: folder });
  for (const line of ran.out.split("\n").filter(Boolean)) {
    const { name, problem } = JSON.parse(line);
    checks.add(`the client ${name}`, problem);
  }
  checks.add("the client ran to its end", ran.exitCode === 0 ? "" : ran.error || ran.out);
}
