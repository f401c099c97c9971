import { existsSync, readFileSync, rmSync } from "node:fs";
import type { LocalInput, RemoteInput } from "./cases.ts";
import { expectSame } from "./check.ts";
import type { RemoteProbe } from "./remote-probe.ts";

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
