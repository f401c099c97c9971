import { join } from "node:path";
import * as v from "valibot";

const Message = v.object({
  id: v.optional(v.union([v.number(), v.string()])),
  method: v.optional(v.string()),
  result: v.optional(v.unknown()),
});
const Hover = v.object({ contents: v.object({ value: v.string() }) });

/** TypeScript's language server, with one open file. */
export async function startLanguageServer(root: string) {
  const server = Bun.spawn([join(root, "node_modules/.bin/tsc"), "--lsp", "--stdio"], {
    cwd: root,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  const waiting = new Map<number | string, (result: unknown) => void>();
  let uri = "";

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    server.stdin.flush();
  }
  function request(method: string, params: object): Promise<unknown> {
    const id = waiting.size + 1;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return answer;
  }
  async function read(): Promise<void> {
    let received = Buffer.alloc(0);
    for await (const chunk of server.stdout) {
      received = Buffer.concat([received, chunk]);
      for (;;) {
        const end = received.indexOf("\r\n\r\n");
        const [, length] = /Content-Length: (\d+)/.exec(received.subarray(0, end).toString()) ?? [];
        const next = end + 4 + Number(length);
        if (end < 0 || received.length < next) break;
        const { id, method, result } = v.parse(
          Message,
          JSON.parse(received.subarray(end + 4, next).toString()),
        );
        // The server may ask for something too, and gets nothing.
        if (id !== undefined && method !== undefined) send({ id, result: null });
        else if (id !== undefined) waiting.get(id)?.(result);
        received = received.subarray(next);
      }
    }
  }

  const reading = read();
  await request("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  send({ method: "initialized", params: {} });
  return {
    open(file: string, text: string): void {
      uri = file;
      const textDocument = { uri, languageId: "typescript", version: 1, text };
      send({ method: "textDocument/didOpen", params: { textDocument } });
    },
    /** What stands over a place of the file; both count from 0. */
    async hover(line: number, character: number): Promise<string> {
      const place = { textDocument: { uri }, position: { line, character } };
      const result = await request("textDocument/hover", place);
      return v.parse(Hover, result).contents.value;
    },
    async stop(): Promise<void> {
      server.kill();
      await reading;
    },
  };
}
