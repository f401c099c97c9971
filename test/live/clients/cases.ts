import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Client, ClientConfig, McpConfigInput } from "../../../schemas/index.ts";
import { mcpConfig } from "../../../src/index.ts";
import { serverVariable } from "../../../src/mcp-config/references.ts";
import { configOf } from "../../src/mcp-config/support.ts";
import { expectSame } from "../runner.ts";
import type { RemoteProbe } from "./probes.ts";

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
    /** The file into which a local probe writes its arguments and environment. */
    report: join(root, "report.json"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export type Workspace = ReturnType<typeof makeWorkspace>;

const PROBE = fileURLToPath(import.meta.resolve("./local-probe.ts"));

export type LocalInput = McpConfigInput & {
  command: string;
  args: string[];
  env: Record<string, string>;
};
export type RemoteInput = McpConfigInput & { url: string; headers: Record<string, string> };

const HOSTILE = [
  `it's "quoted" \\ and \\" and '''`,
  "$HOME $(id) `id` %PATH% ${} ${1} ~ * ; & | < > ^ !",
  "é 漢 👩‍👩‍👧 \u202e \u2028 \u{e0041} \\u0041",
  "line\nfeed\ttab \u001b \u007f",
  "",
  "--",
];

/** Servers that start the local probe, which writes what it got to the workspace's report. */
export const localCases = (workspace: Workspace): LocalInput[] => [
  plainCase(workspace),
  hostileCase(workspace),
];

const plainCase = ({ report }: Workspace): LocalInput => ({
  name: "plain",
  command: process.execPath,
  args: [PROBE, report, "-y", "server", "/home/me/notes"],
  env: { API_KEY: "k-123", LANG: "C" },
});

const hostileCase = ({ report, hostileCommand }: Workspace): LocalInput => ({
  name: "-hostile",
  command: hostileCommand,
  args: [PROBE, report, ...HOSTILE],
  env: {
    A_1: `it's "x" \\ $HOME %PATH%`,
    A_2: "é 👩‍👩‍👧 \u202e \u001b",
    EMPTY: "",
    toString: "a name of every object",
  },
});

/** A server with what some clients take for variables in its arguments. */
export const variableCase = ({ report }: Workspace): LocalInput => ({
  name: "variables",
  command: process.execPath,
  args: [PROBE, report, "${HOME}", "${NOT_SET:-a default}", "${env:HOME}", "$HOME"],
  env: { REFERENCE: "${HOME}" },
});

/** A server whose argument and variables come from the environment. */
export const referenceCase = ({ report }: Workspace): LocalInput => ({
  name: "references",
  command: process.execPath,
  args: [PROBE, report, "${TOKEN}"],
  env: { TOKEN: "${TOKEN}", OTHER: "a ${TOKEN}" },
});

/** The value behind its references. */
export const TOKEN = "tok-123";

/** The input with the values in place of the references. */
export const resolved = <Input extends LocalInput | RemoteInput>(input: Input): Input =>
  JSON.parse(JSON.stringify(input).replaceAll("${TOKEN}", TOKEN));

/** A remote server with references in its headers. */
export const remoteReferenceCase = ({ url }: RemoteProbe): RemoteInput => ({
  name: "remote-references",
  url: `${url}/mcp`,
  headers: { Authorization: "Bearer ${TOKEN}", "X-Token": "${TOKEN}" },
});

/** Servers at the remote probe. */
export const remoteCases = ({ url }: RemoteProbe): RemoteInput[] => [
  { name: "remote", url: `${url}/mcp?a=1&b='x'`, headers: {} },
  {
    name: "with-headers",
    url: `${url}/mcp/a%20b`,
    headers: {
      Authorization: `Bearer it's "x" \\ $HOME`,
      "X-Api-Key": "a, b: c;  %41",
      "X-1": "~",
    },
  },
];

export const generated = (input: McpConfigInput, client: Client): ClientConfig =>
  configOf(mcpConfig(input, { clients: [client] }), client);

/** The input without what no line for a shell holds: line breaks and hidden characters. */
export const forShell = <Input extends LocalInput | RemoteInput>(input: Input): Input =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === "string" ? value.replace(HIDDEN, "") : value,
  );

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The shell variables from which a bash line reads this input's secrets. */
export const shellVariables = ({ name, env = {}, headers = {} }: McpConfigInput) => ({
  ...env,
  ...Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [serverVariable(name, header), value]),
  ),
});

/** Checks that the local probe was started as the input says, and forgets its report. */
export function expectStarted({ args: [, report = "", ...args], env }: LocalInput): void {
  if (!existsSync(report)) throw new Error("the client did not start the server");
  const got = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  expectSame(got.args, args);
  expectSame(Object.fromEntries(Object.keys(env).map((key) => [key, got.env[key]])), env);
}

/** Checks that the remote probe was asked at the right address with the right headers. */
export function expectAsked({ url, headers }: RemoteInput, probe: RemoteProbe): void {
  const [first] = probe.takeRequests();
  if (!first) throw new Error("the client did not ask the server");
  const { pathname, search } = new URL(url);
  expectSame(first.path, pathname + search);
  const got = Object.fromEntries(Object.keys(headers).map((key) => [key, first.headers.get(key)]));
  expectSame(got, headers);
}
