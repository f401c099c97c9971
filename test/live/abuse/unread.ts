import { connect, type Socket } from "node:net";
import { MAX_RESULT_BYTES } from "../../../schemas/index.ts";
import { callTool } from "../../../src/call-tool.ts";
import { toolPath } from "../../../src/describe-tool.ts";
import { exchange, MCP, MCP_INPUT, rawPost } from "../../server/support/http.ts";
import { worstInputs } from "../../support/worst-inputs.ts";
import { type WorstMessage, worstMessages } from "../../support/worst-messages.ts";
import { openFiles, residentMegabytes, waitForRelease } from "./memory.ts";
import type { Scenario, Target } from "./run.ts";
import { MCP_TOOL, rawMessage, upTo } from "./support.ts";

/** Clients that ask for large results and read nothing. */
export const unreadAnswers: Scenario = {
  title: "answers that nobody reads do not fill the memory",

  async run(target) {
    const { before, most } = await withUnread(target, 1_000, largeRequest());
    const figures = `1,000 clients; ${before} MB before, ${most} MB at most`;
    if (most > before + MOST_GROWTH_MB) throw new Error(figures);
    return figures;
  },
};

/** What SECURITY.md says: of answers that nobody reads, Bun keeps what the sockets do not take. */
const MOST_GROWTH_MB = 300;

/** The same over MCP, and what would get the longest answer if the SDK answered it. */
export const unreadMcpAnswers: Scenario = {
  title: "MCP answers that nobody reads do not fill the memory",

  async run(target) {
    const requests = [await largeMcpCall(target.port), ...worstMessages().slice(0, 4)];
    const figures: string[] = [];
    for (const request of requests) {
      const { most } = await withUnread(target, 100, rawMessage(request));
      figures.push(`${most} MB at most`);
      if (most > MOST_MCP_MB) throw new Error(figures.join("; "));
    }
    return `100 clients; ${figures.join("; ")}`;
  },
};

const MOST_MCP_MB = 250;

/** The memory of the server, before and while clients send a request and read no answer. */
async function withUnread({ pid, port, times }: Target, clients: number, request: Uint8Array) {
  for (let round = 0; round < 20; round += 1) await exchange(port, request, "POST");
  const before = residentMegabytes(pid);
  const files = openFiles(pid);
  const sockets = upTo(clients).map(() => unreadClient(port, request));
  let most = before;
  for (let seconds = 0; seconds < times(15, 60); seconds += 1) {
    await Bun.sleep(1_000);
    most = Math.max(most, residentMegabytes(pid));
    const { status } = await exchange(port, rawPost(MCP, MCP_INPUT), "POST");
    if (status !== 200) throw new Error(`status ${status}`);
  }
  for (const socket of sockets) socket.destroy();
  await waitForRelease(pid, files, 30_000);
  return { before, most };
}

/** More answers than the system's own buffers for a connection hold. */
const PIPELINED = 12;

/** The accepted input with the largest result. */
function largeRequest(): Uint8Array {
  const sizes = worstInputs().map((input) => {
    const outcome = callTool(input.contract.name, JSON.parse(input.json), LIMITS);
    return { ...input, size: outcome.ok ? JSON.stringify(outcome.value).length : 0 };
  });
  const largest = sizes.reduce((most, one) => (one.size > most.size ? one : most));
  return rawPost(toolPath(largest.contract), largest.json);
}

/** The call of a tool with the longest answer. */
async function largeMcpCall(port: number): Promise<Pick<WorstMessage, "headers" | "body">> {
  let longest = { headers: {}, body: "", length: 0 };
  for (const count of upTo(31)) {
    const args = upTo(count).map(() => "\u007f".repeat(500));
    const params = { name: MCP_TOOL.name, arguments: { ...JSON.parse(MCP_INPUT), args } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const answer = await exchange(port, rawMessage({ headers: {}, body }), "POST");
    if (answer.body.length > longest.length) {
      longest = { headers: {}, body, length: answer.body.length };
    }
  }
  if (longest.length < MAX_RESULT_BYTES / 2) throw new Error(`only ${longest.length} characters`);
  return longest;
}

const LIMITS = { resultBytes: MAX_RESULT_BYTES };

function unreadClient(port: number, request: Uint8Array): Socket {
  const socket = connect(port, "127.0.0.1");
  // The server closes the connection at last.
  socket.on("error", () => undefined);
  socket.pause();
  for (const _ of upTo(PIPELINED)) socket.write(request);
  return socket;
}
