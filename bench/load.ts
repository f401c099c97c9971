/**
 * Puts load on a server from two processes, which is enough to keep one busy without taking all of a
 * small machine.
 *
 * @param request the bytes of a request, which has the same answer every time.
 * @returns answers per second.
 */
export async function answersPerSecond(
  port: number,
  request: string,
  milliseconds: number,
): Promise<number> {
  const load: Load = { port, request, milliseconds };
  const [one = 0, other = 0] = await Promise.all([runClient(load), runClient(load)]);
  return one + other;
}

interface Load {
  readonly port: number;
  readonly request: string;
  readonly milliseconds: number;
}

async function runClient(load: Load): Promise<number> {
  const client = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(load)], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: load.milliseconds + 10_000,
  });
  const output = await client.stdout.text();
  if ((await client.exited) !== 0) throw new Error("a client failed");
  return Number(output);
}

const CONNECTIONS = 16;

/** Keeps connections busy with one request after the other. */
async function drive({ port, request, milliseconds }: Load): Promise<number> {
  const length = await lengthOfAnswer(port, request);
  let answered = 0;
  const connect = () =>
    Bun.connect({
      hostname: "127.0.0.1",
      port,
      data: { received: 0 },
      socket: {
        data(socket, chunk) {
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
  const started = performance.now();
  for (const socket of sockets) socket.write(request);
  await Bun.sleep(milliseconds);
  const rate = (answered / (performance.now() - started)) * 1_000;
  for (const socket of sockets) socket.end();
  return rate;
}

/** With it, answers need not be parsed, and the client stays faster than the server. */
async function lengthOfAnswer(port: number, request: string): Promise<number> {
  let answer = "";
  const data = (_: unknown, chunk: Buffer) => {
    answer += chunk.toString("latin1");
  };
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data } });
  socket.write(request);
  for (let before = -1; answer === "" || answer.length !== before; await Bun.sleep(200)) {
    before = answer.length;
  }
  socket.end();
  if (!answer.startsWith("HTTP/1.1 200 ")) throw new Error(`the answer is ${answer.slice(0, 20)}`);
  return answer.length;
}

// A client process: its load is JSON in the argument, its output the answers per second.
if (import.meta.main) {
  process.stdout.write(`${await drive(JSON.parse(process.argv[2] ?? ""))}\n`);
}
