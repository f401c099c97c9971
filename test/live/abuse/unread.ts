import { connect, type Socket } from "node:net";
import { worstInputs } from "../../../bench/worst-inputs.ts";
import { callTool } from "../../../src/call-tool.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { exchange, MCP, MCP_INPUT, rawPost } from "../../server/support/http.ts";
import { openFiles, residentMegabytes, waitForRelease } from "./memory.ts";
import type { Scenario } from "./run.ts";
import { upTo } from "./support.ts";

/** Clients that ask for large results and read nothing. */
export const unreadAnswers: Scenario = {
  title: "answers that nobody reads do not fill the memory",

  async run({ pid, port, times }) {
    const request = largeRequest();
    for (let round = 0; round < 20; round += 1) await exchange(port, request, "POST");
    const before = residentMegabytes(pid);
    const files = openFiles(pid);
    const sockets = upTo(CLIENTS).map(() => unreadClient(port, request));
    let most = before;
    for (let seconds = 0; seconds < times(15, 60); seconds += 1) {
      await Bun.sleep(1_000);
      most = Math.max(most, residentMegabytes(pid));
      const { status } = await exchange(port, rawPost(MCP, MCP_INPUT), "POST");
      if (status !== 200) throw new Error(`status ${status}`);
    }
    for (const socket of sockets) socket.destroy();
    await waitForRelease(pid, files, 30_000);
    const figures = `${CLIENTS} clients; ${before} MB before, ${most} MB at most`;
    if (most > before + MOST_GROWTH_MB) throw new Error(figures);
    return figures;
  },
};

const CLIENTS = 1_000;

/** Unsent answers take at most 32 MB; the rest is for the calls, and for what is collected later. */
const MOST_GROWTH_MB = 300;

/** More answers than the system's own buffers for a connection hold. */
const PIPELINED = 12;

/** The accepted input with the largest result. */
function largeRequest(): Uint8Array {
  const sizes = worstInputs().map((input) => {
    const outcome = callTool(input.contract.name, JSON.parse(input.json), {}, LIMITS);
    return { ...input, size: outcome.ok ? JSON.stringify(outcome.value).length : 0 };
  });
  const largest = sizes.reduce((most, one) => (one.size > most.size ? one : most));
  return rawPost(toolPath(largest.contract), largest.json);
}

const LIMITS = { resultBytes: 1_000_000 };

function unreadClient(port: number, request: Uint8Array): Socket {
  const socket = connect(port, "127.0.0.1");
  // The server closes the connection at last.
  socket.on("error", () => undefined);
  socket.pause();
  for (const _ of upTo(PIPELINED)) socket.write(request);
  return socket;
}
