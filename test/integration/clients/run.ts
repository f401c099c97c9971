import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { ALL_CLIENTS, mcpConfigContract } from "../../../schemas/index.ts";
import { MCP_REMOTE } from "../../../src/mcp-config/bridge.ts";
import { libraryResult } from "../../server/support/http.ts";
import { startServer } from "../../server/support/servers.ts";
import { installPackages, NEWER_NODE, outputOf } from "../programs.ts";
import { type Check, expectSame, runChecks } from "../runner.ts";
import {
  expectAsked,
  expectStarted,
  forShell,
  generated,
  type Input,
  makeCases,
  shellVariables,
  TOKEN,
} from "./cases.ts";
import { startModel } from "./model.ts";
import { askInJsonLines, initialize, startRemoteProbe } from "./probes.ts";
import { PROGRAMS, type Program, TOOL } from "./programs.ts";

/*
 * Lets the real clients use the generated configs, and call our own server when a model asks for it:
 * `npm run test:integration clients`. It installs them from npm (1.8 GB, once), and starts them in temporary
 * homes, with servers and a model on loopback. A word that is given picks the checks with it in
 * their title, and changes no document.
 */

const BRIDGE_PACKAGE = `${MCP_REMOTE.package}@${MCP_REMOTE.version}`;
const packages = [NEWER_NODE, BRIDGE_PACKAGE, ...PROGRAMS.map((program) => program.package)];
const bin = join(await installPackages("clients", packages), "node_modules/.bin");
const probe = startRemoteProbe();
const cases = makeCases(probe);
const { plain, hostile, references, remote, withHeaders, remoteReferences } = cases;
const handtools = [process.execPath, join(import.meta.dir, "../../../cli/main.ts")];

/** The result of the last run, from which a table of docs/mcp.md is made. */
const TRIED_CLIENTS = join(import.meta.dir, "tried-clients.json");

/** A new home, with nothing else of this machine than the programs, and the client's file in it. */
function newHome({ client, file, moved: [variable, path] }: Program, isMoved: boolean) {
  const root = mkdtempSync(join(cases.root, `${client}-`));
  const [home, moved, project] = ["home", "moved", "project"].map((name) => join(root, name));
  const place = isMoved ? join(moved ?? "", path) : join(home ?? "", file);
  for (const folder of [home, project, dirname(place)])
    mkdirSync(folder ?? "", { recursive: true });
  if (client === "gemini-cli") {
    const trusted = JSON.stringify({ [project ?? ""]: "TRUST_FOLDER" });
    writeFileSync(join(dirname(place), "trustedFolders.json"), trusted);
  }
  const environment = {
    PATH: [bin, join(bin, "../@kilocode/cli-linux-x64/bin"), process.env.PATH].join(":"),
    HOME: home,
    ...(isMoved && { [variable]: moved }),
    TOKEN,
    NO_COLOR: "1",
    ...{ DISABLE_TELEMETRY: "1", DISABLE_AUTOUPDATER: "1", RUST_BACKTRACE: "0" },
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  /** The command line that runs a program there; it ends with its children, at the latest in time. */
  const command = (words: readonly string[], others: Readonly<Record<string, string>> = {}) => [
    ...["timeout", "--kill-after=5", "90", "env", "-i", "-C", project ?? ""],
    ...Object.entries({ ...environment, ...others }).map(([name, value]) => `${name}=${value}`),
    ...words,
  ];
  const run = (words: readonly string[], others?: Readonly<Record<string, string>>) =>
    outputOf(command(words, others), { cwd: root });
  return {
    place,
    command,
    run,
    install: (input: Input) => {
      const given = join(root, "in.json");
      writeFileSync(given, JSON.stringify(input));
      return run([...handtools, "mcp", "add", given, "--client", client]);
    },
  };
}

/** The servers of a client: those that resolve references are given some, the others anything. */
const serversOf = ({ client }: Program): readonly Input[] =>
  client === "claude-code" || client === "codex"
    ? [plain, hostile, withHeaders]
    : [references, remoteReferences];

const listCheck = (program: Program): Check => ({
  title: `${program.command} uses what mcp add wrote, and mcp remove leaves its file as it was`,
  shows: `${program.client} listed`,
  run: async () => {
    const { client, command, before, list } = program;
    const home = newHome(program, true);
    writeFileSync(home.place, before);
    const servers = serversOf(program);
    for (const input of servers) await home.install(input);
    probe.takeRequests();
    const words = [command, ...list];
    if (client === "copilot-cli") {
      const { mcpServers } = JSON.parse(await home.run(words));
      for (const { name, ...given } of servers) {
        const { command, args, env, url, headers } = mcpServers[name];
        expectSame(stated({ command, args, env, url, headers }), stated(given));
      }
    } else {
      if (client === "codex") {
        const status = { id: 2, method: "mcpServerStatus/list", params: {} };
        const messages = [initialize, { method: "initialized" }, status];
        await askInJsonLines(home.command(words), messages);
      } else await home.run(words);
      for (const input of servers) {
        if (input.url === undefined) expectStarted(input);
        else expectAsked(input, probe);
      }
    }
    for (const { name } of servers) {
      await home.run([...handtools, "mcp", "remove", name, "--client", client]);
    }
    const after = readFileSync(home.place, "utf8");
    // Claude Code's own command changes its file.
    if (client === "claude-code") expectSame(JSON.parse(after).mcpServers ?? {}, {});
    else expectSame(after.trimEnd(), before.trimEnd());
  },
});

const stated = (entry: object) => JSON.parse(JSON.stringify(entry));

const addCheck = (program: Program): Check => ({
  title: `${program.command} mcp add, from the bash lines, stores what the snippets say`,
  run: async () => {
    const inputs = [plain, hostile, remote, withHeaders, remoteReferences].map(forShell);
    for (const input of inputs) {
      const { snippet, install } = generated(input, program.client);
      if (install.bash === undefined) continue;
      const home = newHome(program, true);
      const line = ["bash", "-c", install.bash];
      // A reference stays one.
      await home.run(line, input.name === remoteReferences.name ? {} : shellVariables(input));
      const written = [home.place, `${home.place}c`].find(existsSync) ?? home.place;
      expectSame(entriesIn(readFileSync(written, "utf8")), entriesIn(snippet));
    }
  },
});

/** The servers of a file, without what a program writes of its own accord. */
function entriesIn(text: string): object[] {
  const { mcp, mcpServers, mcp_servers } = text.trimStart().startsWith("{")
    ? parseJson(text)
    : parseToml(text);
  return Object.values<object>(mcp?.servers ?? mcp ?? mcpServers ?? mcp_servers).map((entry) => {
    const all = { type: "stdio", args: [], env: {}, headers: {}, tools: [], ...entry };
    return {
      ...all,
      tools: [],
      type: all.type === "local" && "args" in entry ? "stdio" : all.type,
    };
  });
}

const CALL = { name: "files", command: "npx", args: ["-y", `it's "q" \\ é`] };

/** Nothing but this machine can be reached by a program that minds a proxy. */
const OFFLINE = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

const callCheck = (program: Program, title: string, transport: readonly string[]): Check => ({
  title: `${program.command} calls our tool ${title}, and its model gets the whole result`,
  shows: `${program.client} called`,
  run: async () => {
    const model = startModel(TOOL, CALL);
    try {
      const home = newHome(program, false);
      const settings = program.settings?.(model);
      if (settings) writeFileSync(home.place, JSON.stringify(settings));
      const install = ["mcp", "add", "--client", program.client, "--name", "handtools"];
      await home.run([...handtools, ...install, ...transport]);
      const words = [program.command, ...program.prompt(model)];
      await home.run(words, { ...OFFLINE, ...program.environment(model) });
      // Some clients put words of their own around the result.
      const result = libraryResult(mcpConfigContract, CALL);
      const given = model.takeResults().map((text) => (text.includes(result) ? result : text));
      expectSame(given, [result]);
    } finally {
      model.stop();
    }
  },
});

/** Claude Desktop starts the bridge to a remote server. */
const bridgeCheck: Check = {
  title: "mcp-remote, from Claude Desktop's snippet, asks the server with its headers",
  run: async () => {
    const { snippet } = generated(withHeaders, "claude-desktop");
    const { command, args, env } = JSON.parse(snippet).mcpServers[withHeaders.name];
    const [yes, spec, ...rest] = args;
    expectSame([command, yes, spec], ["npx", "-y", BRIDGE_PACKAGE]);
    probe.takeRequests();
    const [codex] = PROGRAMS;
    if (!codex) return;
    const line = newHome(codex, false).command([join(bin, MCP_REMOTE.package), ...rest], env);
    const [answer] = await askInJsonLines(line, [initialize]);
    expectSame(answer?.result?.serverInfo, { name: "probe", version: "1.0.0" });
    expectAsked(withHeaders, probe);
  },
};

const server = await startServer();
const [word = ""] = process.argv.slice(2);
try {
  const [start = "", ...main] = handtools;
  const onStdio = [
    "--command",
    start,
    ...[...main, "mcp", "serve"].flatMap((word) => ["--args", word]),
  ];
  const checks = [
    ...PROGRAMS.flatMap((program) => [
      listCheck(program),
      addCheck(program),
      callCheck(program, "on stdio", onStdio),
      callCheck(program, "over HTTP", ["--url", `${server.base}/mcp`]),
    ]),
    bridgeCheck,
  ];
  const shown = await runChecks(checks.filter(({ title }) => title.includes(word)));
  const tried = ALL_CLIENTS.flatMap((client) => {
    const program = PROGRAMS.find((program) => program.client === client);
    const version = program?.package.split("@").at(-1);
    const listed = shown.has(`${client} listed`);
    return version === undefined
      ? []
      : [{ client, version, listed, called: shown.has(`${client} called`) }];
  });
  if (word === "") writeFileSync(TRIED_CLIENTS, `${JSON.stringify(tried, null, 2)}\n`);
} finally {
  probe.stop();
  server.signal("SIGTERM");
  await server.exited();
  cases.remove();
}
