import { expect } from "bun:test";
import { connect } from "node:net";
import { exchange } from "../server/connection.ts";
import { inParallel, upTo } from "./in-parallel.ts";
import { openFiles, waitForRelease } from "./open-files.ts";
import type { Scenario } from "./scenario.ts";
import { toolRequest } from "./tool-request.ts";

const AT_A_TIME = 64;
const RELEASE_MS = 20_000;

/** Sends the beginning of a request and goes, with a farewell (FIN) or without one (RST). */
const drop = (port: number, bytes: Uint8Array, isRude: boolean): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes, () => {
        if (isRude) socket.resetAndDestroy();
        else socket.destroy();
      });
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve());
  });

/** Sends a whole request and says that no more will come, as `nc -N` does. */
const halfClose = (port: number, bytes: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
    socket.end(bytes);
  });

/** Clients who go away at every place of a request, or close their half of a connection. */
export const droppedConnections: Scenario = {
  title: "dropped and half-open connections leave nothing behind",

  async run({ pid, port, times }) {
    const before = openFiles(pid);
    const count = times(2_000, 40_000);
    await inParallel(upTo(count), AT_A_TIME, async (index) => {
      const { bytes, answer } = toolRequest(`gone-${index}`);
      // Every place in turn, that behind the last byte included.
      const end = index % (bytes.length + 1);
      if (index % 3 < 2) return drop(port, bytes.subarray(0, end), index % 3 === 0);
      expect(await halfClose(port, bytes)).toEndWith(`\r\n\r\n${answer.body}`);
      expect(await halfClose(port, bytes.subarray(0, end - 1))).not.toStartWith("HTTP/1.1 200");
    });
    await waitForRelease(pid, before, RELEASE_MS);
    const { bytes, answer } = toolRequest("last");
    expect(await exchange(port, bytes)).toMatchObject(answer);
    return `${count} clients, ${AT_A_TIME} at a time; ${openFiles(pid)} files open at the end, ${before} before`;
  },
};
