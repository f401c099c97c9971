import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, ClientConfig, McpConfigInput } from "../../../schemas/index.ts";
import { createMcpConfig } from "../../../src/index.ts";
import { variableForServer } from "../../../src/mcp-config/variable-references.ts";
import { configOf } from "../../src/mcp-config/support.ts";
import { expectSame } from "../runner.ts";
import type { RemoteProbe } from "./probes.ts";

const PROBE = join(import.meta.dir, "local-probe.ts");

type LocalInput = McpConfigInput & {
  url?: never;
  command: string;
  args: string[];
  env: Record<string, string>;
};
type RemoteInput = McpConfigInput & { url: string; headers: Record<string, string> };
export type Input = LocalInput | RemoteInput;

/** A folder that goes at the end, and servers for it. */
export function makeCases({ url }: RemoteProbe) {
  const root = mkdtempSync(join(tmpdir(), "handtools-clients-"));
  const hostileCommand = join(root, `it's "run" $5 %PATH% é`);
  symlinkSync(process.execPath, hostileCommand);
  /** A local probe, which writes what it got to the first argument. */
  const local = (input: LocalInput): LocalInput => ({
    ...input,
    args: [PROBE, join(root, `${input.name}.json`), ...input.args],
  });
  return {
    root,
    remove: () => rmSync(root, { recursive: true, force: true }),
    plain: local({
      name: "plain",
      command: process.execPath,
      args: ["-y", "server", "/home/me/notes"],
      env: { API_KEY: "k-123", LANG: "C" },
    }),
    hostile: local({
      name: "hostile",
      command: hostileCommand,
      args: [
        `it's "quoted" \\ and \\" and '''`,
        "$5 $(id) `id` %PATH% ${} ${1} ~ * ; & | < > ^ !",
        "é 漢 👩‍👩‍👧 \u202e \u2028 \u{e0041} \\u0041",
        "line\nfeed\ttab \u001b \u007f",
        "",
        "--",
      ],
      env: {
        A_1: `it's "x" \\ $5 %PATH%`,
        A_2: "é 👩‍👩‍👧 \u202e \u001b",
        EMPTY: "",
        toString: "a name of every object",
      },
    }),
    /** Its argument and variables come from the environment. */
    references: local({
      name: "references",
      command: process.execPath,
      args: ["${TOKEN}"],
      env: { TOKEN: "${TOKEN}", OTHER: "a ${TOKEN}" },
    }),
    remote: { name: "remote", url: `${url}/mcp?a=1&b='x'`, headers: {} },
    withHeaders: {
      name: "with-headers",
      url: `${url}/mcp/a%20b`,
      headers: {
        Authorization: `Bearer it's "x" \\ $5`,
        "X-Api-Key": "a, b: c;  %41",
        "X-1": "~",
      },
    },
    remoteReferences: {
      name: "remote-references",
      url: `${url}/mcp`,
      headers: { Authorization: "Bearer ${TOKEN}", "X-Token": "${TOKEN}" },
    },
  };
}

/** The value behind the references. */
export const TOKEN = "tok-123";

/** The input with the values in place of the references. */
const resolved = <Given extends Input>(input: Given): Given =>
  JSON.parse(JSON.stringify(input).replaceAll("${TOKEN}", TOKEN));

export const generated = (input: McpConfigInput, client: Client): ClientConfig =>
  configOf(createMcpConfig(input, { clients: [client] }), client);

/**
 * The input without what no line for a shell holds: line breaks and hidden characters, nor blanks at
 * the end, which Copilot cuts.
 */
export const forShell = (input: Input): Input =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) =>
    typeof value === "string" ? value.replace(HIDDEN, "").trimEnd() : value,
  );

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The shell variables from which a bash line reads this input's secrets. */
export const shellVariables = ({ name, env = {}, headers = {} }: McpConfigInput) => ({
  ...env,
  ...Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [variableForServer(name, header), value]),
  ),
});

/** Checks that the local probe was started as the input says, and forgets its report. */
export function expectStarted(input: LocalInput): void {
  const {
    args: [, report = "", ...args],
    env,
  } = resolved(input);
  if (!existsSync(report)) throw new Error(`the client did not start ${input.name}`);
  const got = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  expectSame(got.args, args);
  expectSame(Object.fromEntries(Object.keys(env).map((key) => [key, got.env[key]])), env);
}

/** Checks that the remote probe was asked at the right address with the right headers. */
export function expectAsked(input: RemoteInput, probe: RemoteProbe): void {
  const { url, headers } = resolved(input);
  const [first] = probe.takeRequests();
  if (!first) throw new Error(`the client did not ask ${input.name}`);
  const { pathname, search } = new URL(url);
  expectSame(first.path, pathname + search);
  const got = Object.fromEntries(Object.keys(headers).map((key) => [key, first.headers.get(key)]));
  expectSame(got, headers);
}
