import { fileURLToPath } from "node:url";
import type { McpConfigInput } from "../../schemas/index.ts";
import type { RemoteProbe } from "./remote-probe.ts";
import type { Workspace } from "./workspace.ts";

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
