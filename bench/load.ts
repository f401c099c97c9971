/**
 * Puts load on a server from several processes.
 *
 * @returns answers per second.
 */
export async function answersPerSecond(
  port: number,
  request: Request,
  { milliseconds, requests }: Extent,
): Promise<number> {
  const load: Load = {
    ...request,
    port,
    connections: CONNECTIONS_EACH,
    milliseconds,
    ...(requests !== undefined && { requests: Math.ceil(requests / CLIENTS) }),
  };
  const rates = await Promise.all(Array.from({ length: CLIENTS }, () => runClient(load)));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** The request that is sent again and again. */
export type Request = Pick<Load, "method" | "path" | "body">;

interface Extent {
  readonly milliseconds: number;
  readonly requests?: number;
}

/** Enough to keep one server process busy without taking all of a small machine. */
const CLIENTS = 2;
const CONNECTIONS_EACH = 16;

async function runClient(load: Load): Promise<number> {
  const client = Bun.spawn([process.execPath, import.meta.path, JSON.stringify(load)], {
    stdio: ["ignore", "pipe", "inherit"],
    timeout: load.milliseconds + 10_000,
  });
  const output = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error("a client failed");
  return Number(output);
}

interface Load {
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly connections: number;
  readonly milliseconds: number;
  /** Ends the load, if this many are answered before the time is over. */
  readonly requests?: number;
}

/**
 * Keeps connections busy with one request after the other.
 *
 * @returns answers per second.
 */
async function drive(load: Load): Promise<number> {
  const request = toRequest(load);
  const length = await lengthOfAnswer(load, request);
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const limit = load.requests ?? Number.POSITIVE_INFINITY;
  let answered = 0;
  const onAnswer = (socket: Connection) => {
    answered += 1;
    if (answered < limit) socket.write(request);
    else end();
  };
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => connect(load.port, length, onAnswer, fail)),
  );
  const timer = setTimeout(end, load.milliseconds);
  const started = performance.now();
  for (const socket of sockets) socket.write(request);
  await ended;
  const seconds = (performance.now() - started) / 1000;
  clearTimeout(timer);
  for (const socket of sockets) socket.end();
  return answered / seconds;
}

/** A connection, with the number of bytes read of the current answer. */
type Connection = Bun.Socket<{ received: number }>;

const connect = (
  port: number,
  length: number,
  onAnswer: (socket: Connection) => void,
  fail: (error: Error) => void,
): Promise<Connection> =>
  Bun.connect({
    hostname: "127.0.0.1",
    port,
    data: { received: 0 },
    socket: {
      data(socket, chunk) {
        // An answer may come in pieces; the next one starts only after the next request.
        socket.data.received += chunk.length;
        if (socket.data.received < length) return;
        if (socket.data.received > length) return fail(new Error("the answers differ in length"));
        socket.data.received = 0;
        onAnswer(socket);
      },
      error: (_, error) => fail(error),
    },
  });

function toRequest({ method, path, body = "" }: Load): string {
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1"];
  if (method === "POST") {
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/**
 * The length of the answer to one request. The same request has the same answer every time, so
 * that later answers need not be parsed, and the client stays faster than the server.
 */
async function lengthOfAnswer({ port }: Load, request: string): Promise<number> {
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
