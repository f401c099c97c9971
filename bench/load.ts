import { outputOf } from "../test/integration/programs.ts";

/**
 * Puts load on a server from two processes, which is enough to keep one busy without taking all of a
 * small machine.
 *
 * @param request the bytes of a request, which has the same answer every time.
 * @returns the number of answers.
 */
export async function countAnswers(
  port: number,
  request: string,
  milliseconds: number,
): Promise<number> {
  const command = [process.execPath, import.meta.path, `${port}`, request, `${milliseconds}`];
  const client = () => outputOf(command, { cwd: import.meta.dir });
  const [one, other] = await Promise.all([client(), client()]);
  return Number(one) + Number(other);
}

const CONNECTIONS = 16;

/** Keeps connections busy with one request after the other. */
async function drive(port: number, request: string, milliseconds: number): Promise<number> {
  let answered = 0;
  let length = 0;
  const connect = () =>
    Bun.connect({
      hostname: "127.0.0.1",
      port,
      data: { received: 0 },
      socket: {
        data(socket, chunk) {
          length ||= lengthOf(chunk);
          // An answer may come in pieces; the next one starts only after the next request.
          socket.data.received += chunk.length;
          if (socket.data.received < length) return;
          if (socket.data.received > length) throw new Error("the answers differ in length");
          socket.data.received = 0;
          answered += 1;
          socket.write(request);
        },
      },
    });
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  for (const socket of sockets) socket.write(request);
  await Bun.sleep(milliseconds);
  for (const socket of sockets) socket.end();
  return answered;
}

/** Only the first answer is parsed, so that the client stays faster than the server. */
function lengthOf(firstChunk: Buffer): number {
  const text = firstChunk.toString("latin1");
  const [head = "", body] =
    /^HTTP\/1\.1 200 .*?content-length: (\d+)\r\n(?:.*?\r\n)?\r\n/is.exec(text) ?? [];
  if (body === undefined) throw new Error(`the answer is ${text.slice(0, 20)}`);
  return head.length + Number(body);
}

// A client process, whose output is the number of answers.
if (import.meta.main) {
  const [port, request = "", milliseconds] = process.argv.slice(2);
  process.stdout.write(`${await drive(Number(port), request, Number(milliseconds))}\n`);
}
